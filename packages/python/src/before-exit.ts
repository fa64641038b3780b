import { isMainThread } from 'node:worker_threads';

/**
 * Calls `end`, perhaps more than once, before exit() runs the handlers of native libraries. A
 * listener of the program that throws stops later listeners, but not monitors; hence the monitor.
 */
export function beforeExit(end: () => void): void {
  if (!isMainThread) return;
  process.prependOnceListener('exit', end);
  process.on('uncaughtExceptionMonitor', () => {
    if ((process as { readonly _exiting?: boolean })._exiting) end();
  });
}
