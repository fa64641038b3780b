export { type Calls, checkedOptions } from './arrays/options.js';
export { backendContract } from './backend-contract.js';
export type { ContractCode, ContractKernels } from './kernels/kernels-of.js';
export type { BackendSubject, Subject } from './support/subject.js';
export { transferContract } from './transfer-contract.js';
