/** Tests which libraries can read an array. */
export type { Consumer } from './consumers.js';
export type { Rule } from './rules.js';
export { type Compatibility, whoCanRead } from './who-can-read.js';
