import { isMainThread } from 'node:worker_threads';

/**
 * Calls `end`, more than once perhaps, before exit() runs the handlers of native libraries. A listener of
 * the program's that throws keeps those after it from being called: monitors hear of it all the same.
 */
export function beforeExit(end: () => void): void {
  if (!isMainThread) return;
  process.prependOnceListener('exit', end);
  process.on('uncaughtExceptionMonitor', () => {
    if ((process as { readonly _exiting?: boolean })._exiting) end();
  });
}
