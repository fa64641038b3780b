export { backendContract } from './backend-contract.js';
export type { Subject } from './subject.js';
export { transferContract } from './transfer-contract.js';
