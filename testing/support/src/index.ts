export { bytesAt, type Laid } from './bytes-at.js';
export { collect, collectUntil } from './collect.js';
export { type ExactPlan, exactPlans, noPlans, typeCodes } from './native-guards.js';
export { OtherProcess, type OtherProcessOptions, type Refusal } from './other-process.js';
