/** Which dtypes numbers have together, and which conversions between dtypes are allowed. */
export { canCast } from './can-cast.js';
export type { Casting } from './casting.js';
export type { Operand } from './operand.js';
export { resultType } from './result-type.js';
