import { createRequire } from 'node:module';

/**
 * Calls of the driver as another library in the process makes them. What makes, uses or ends something
 * needs a current context: see makeCurrent.
 */
export interface Probe {
  /** The calling thread's current context; 0n: none. */
  currentContext(): bigint;
  /** Makes a device's primary context current. */
  makeCurrent(device: number): void;
  /** Makes memory of another device reachable from one, whose primary context becomes current. */
  enablePeer(from: number, to: number): void;
  /** A context beside the primary one, with 256 bytes and a stream; it is not current. */
  createContext(device: number): { context: bigint; pointer: bigint; stream: bigint };
  destroyContext(context: bigint): void;
  /** Ends all that is in a device's primary context, as cudaDeviceReset does. */
  resetPrimary(device: number): void;
  /** Releases a device's primary context once, whoever retained it. */
  releasePrimary(device: number): void;

  /** Device memory, cuMemAlloc. */
  allocate(byteLength: number): bigint;
  /** cuMemFree: waits for the device, so never while it is held. */
  free(pointer: bigint): void;
  /** Pinned memory, cuMemAllocHost. */
  allocateHost(byteLength: number): bigint;
  /** cuMemFreeHost: waits for the device, so never while it is held. */
  freeHost(pointer: bigint): void;
  /** The bytes that are there now, by cuMemcpyDtoH, which waits only for the legacy default stream. */
  readBytes(pointer: bigint, byteLength: number): Uint8Array;

  /** A non-blocking stream of the current context. */
  createStream(): bigint;
  destroyStream(stream: bigint): void;
  /** Whether the stream is idle. */
  queryStream(stream: bigint): boolean;
  synchronizeStream(stream: bigint): void;
  /** Enqueues work that ends when the function is called, once. */
  hold(stream: bigint): () => void;
  /** Memory of the pool of the stream's device, there and gone in the stream's order. */
  allocateAsync(stream: bigint, byteLength: number): bigint;
  freeAsync(stream: bigint, pointer: bigint): void;
  /** cuMemsetD8Async. */
  memset(stream: bigint, pointer: bigint, byte: number, byteLength: number): void;
  /** cuMemcpyAsync. */
  copy(stream: bigint, to: bigint, from: bigint, byteLength: number): void;

  /** An event without timing. */
  createEvent(): bigint;
  recordEvent(event: bigint, stream: bigint): void;
  /** Makes later work of the stream wait for the event's last record. */
  waitEvent(stream: bigint, event: bigint): void;
  destroyEvent(event: bigint): void;

  /** Mode 0 global, 1 of this thread, 2 relaxed. */
  beginCapture(stream: bigint, mode: number): void;
  endCapture(stream: bigint): void;
  /** The calling thread's capture mode, as of beginCapture. */
  captureMode(): number;

  /**
   * Faults of the simulator from now on, as in CUDA_SIMULATOR_FAIL; '' forgets all. The probe's own
   * calls do not fail.
   */
  fail(plan: string): void;
  /** How often a function of the simulator was called. */
  calls(name: string): number;
  /** How often a function of the simulator failed because that was planned. */
  failed(name: string): number;
  /** How often a function of the simulator failed though that was not planned. */
  refused(name: string): number;
  /**
   * How many 'allocations', 'streams', 'events', 'modules' or 'pools' the simulator says are there, of
   * everybody in the process.
   */
  live(kind: 'allocations' | 'streams' | 'events' | 'modules' | 'pools'): number;

  /**
   * Opens a file anew and locks a byte of it, as another process would, until the file is closed. Gives
   * its number.
   */
  lockByte(path: string, byte: number): number;
}

export const probe: Probe = createRequire(import.meta.url)(
  '../../build/Release/test/driver_probe.node',
);
