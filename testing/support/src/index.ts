export { bytesAt, type Laid } from './bytes-at.js';
export { collect, collectUntil } from './collect.js';
export { OtherProcess, type OtherProcessOptions, type Refusal } from './other-process.js';
