import { createRequire } from 'node:module';

/** Calls of the driver as another library in the process makes them. */
export interface Probe {
  /** The calling thread's current context; 0n: none. */
  currentContext(): bigint;
  /** Makes a device's primary context current. */
  makeCurrent(device: number): void;
  /** Mode 0 global, 1 of this thread, 2 relaxed. */
  beginCapture(stream: bigint, mode: number): void;
  endCapture(stream: bigint): void;
  /** A context beside the primary one, with 256 bytes and a stream; it is not current. */
  createContext(device: number): { context: bigint; pointer: bigint; stream: bigint };
  destroyContext(context: bigint): void;
  /** A stream of the current context. */
  createStream(): bigint;
  destroyStream(stream: bigint): void;
  /** Enqueues work that ends when the function is called, once. Needs a current context. */
  hold(stream: bigint): () => void;
  /** Faults of the simulator from now on, as in CUDA_SIMULATOR_FAIL; '' forgets all. */
  fail(plan: string): void;
  /** How often a function of the simulator was called. */
  calls(name: string): number;
}

export const probe: Probe = createRequire(import.meta.url)(
  '../build/Release/test/driver_probe.node',
);
