import { isMainThread } from 'node:worker_threads';

/**
 * Calls `end`, perhaps more than once, before exit() runs the handlers of native libraries. If one
 * of the program's listeners throws, later listeners do not run, but monitors do; hence the
 * monitor.
 */
export function beforeExit(end: () => void): void {
  if (!isMainThread) return;
  process.prependOnceListener('exit', end);
  process.on('uncaughtExceptionMonitor', () => {
    if ((process as { readonly _exiting?: boolean })._exiting) end();
  });
}
