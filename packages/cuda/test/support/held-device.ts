import { probe } from './probe.js';

/**
 * Keeps a device busy until this is disposed, as another library's training step or persistent kernel
 * does: one stream of the device's primary context, not this library's, has work that does not end.
 * Whatever waits for the whole device waits until then. On disposal that stream is idle and gone. The
 * primary context of the device is current after both.
 */
export function holdDevice(device: number): Disposable {
  probe.makeCurrent(device);
  const stream = probe.createStream();
  let release: (() => void) | null = probe.hold(stream);
  return {
    [Symbol.dispose]: () => {
      if (release === null) return;
      release();
      release = null;
      probe.makeCurrent(device);
      probe.synchronizeStream(stream);
      probe.destroyStream(stream);
    },
  };
}
