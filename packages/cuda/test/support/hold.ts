import type { Stream } from '@array-interface/cuda';
import { isLazy } from './driver-under-test.js';
import { probe } from './probe.js';

/**
 * What the stream is given from now on is pending until this is disposed, on every schedule. The lazy
 * one needs nothing for it, and shows more: there a wait that should not be makes the work run.
 */
export function hold({ device, handle }: Pick<Stream, 'device' | 'handle'>): Disposable {
  if (isLazy) return { [Symbol.dispose]: () => {} };
  probe.makeCurrent(device);
  let release: (() => void) | null = probe.hold(handle);
  return {
    [Symbol.dispose]: () => {
      release?.();
      release = null;
    },
  };
}
