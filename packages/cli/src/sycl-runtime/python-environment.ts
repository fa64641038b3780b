/** The repository's own scripts make Python environments with this. */
export { checkSpace, makeEnvironment } from './environment.js';
export { withLock } from './lock.js';
export { findPython } from './python.js';
export { pythonMinors, requirements } from './requirements.js';
