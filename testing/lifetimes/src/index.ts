export type { Subject } from './subject.js';
