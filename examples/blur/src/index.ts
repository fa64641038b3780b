export { type BlurOptions, blur } from './blur.js';
