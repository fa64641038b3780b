export { backendContract } from './backend-contract.js';
export { checkedOptions } from './options.js';
export type { Subject } from './subject.js';
export { transferContract } from './transfer-contract.js';
