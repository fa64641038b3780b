import { createRequire } from 'node:module';

/** Calls of the driver as another library in the process makes them. */
interface Probe {
  makeCurrent(device: number): void;
  beginCapture(stream: bigint, mode: number): void;
  endCapture(stream: bigint): void;
}

const probe: Probe = createRequire(import.meta.resolve('@array-interface/cuda'))(
  '../build/Release/test/driver_probe.node',
);

/** Captures of streams of device 0; ending one that was broken throws. */
export const capture = {
  begin(stream: bigint): void {
    probe.makeCurrent(0);
    probe.beginCapture(stream, 2);
  },
  end: probe.endCapture,
};
