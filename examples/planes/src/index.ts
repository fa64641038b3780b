export { planes } from './planes.js';
