export { CONSUMERS, type Consumer } from './consumers.js';
export { type Requirement, RULES, type Rule } from './rules.js';
export { type Compatibility, type ReportOptions, whoCanRead } from './who-can-read.js';
