export { backendContract } from './backend-contract.js';
export type { ContractCode, ContractKernels } from './kernels/kernels-of.js';
export { type Calls, checkedOptions } from './options.js';
export type { BackendSubject, Subject } from './subject.js';
export { transferContract } from './transfer-contract.js';
