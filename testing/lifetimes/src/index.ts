export { leavesNothing } from './leaves-nothing.js';
export { lifetimes } from './lifetimes.js';
export { returnsToZero } from './returns-to-zero.js';
export type { Subject } from './subject.js';
