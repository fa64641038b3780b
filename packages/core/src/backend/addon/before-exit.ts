import type { NodeRequire } from './trusted-path.js';

/**
 * Calls `end`, perhaps more than once, before exit() runs the handlers of native libraries; does
 * nothing in a worker. If one of the program's listeners throws, later listeners do not run, but
 * monitors do; hence the monitor.
 */
export function beforeExit(require: NodeRequire, end: () => void): void {
  if (!require('node:worker_threads').isMainThread) return;
  const process = require('node:process');
  process.prependOnceListener('exit', end);
  process.on('uncaughtExceptionMonitor', () => {
    if ((process as { readonly _exiting?: boolean })._exiting) end();
  });
}
