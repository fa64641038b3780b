/** Whether a backend can be used here, and what to do if not. */
export type Availability =
  | {
      readonly available: true;
      /** The driver or runtime: its real path, or `built in`. */
      readonly library: string;
      readonly version: string;
    }
  | {
      readonly available: false;
      readonly reason: string;
      /** Every place that was looked at, with what happened there. */
      readonly tried: readonly string[];
      /** What to install or set. */
      readonly remedy: string;
    };

/** A device of a backend, as it describes itself. */
export interface DeviceInfo {
  /** Place among the devices of the backend. */
  readonly index: number;
  /**
   * The native device, for code that calls its driver by itself: a CUdevice, the address of a
   * DPCTLSyclDeviceRef that lives as long as the process, 0n on the host.
   */
  readonly handle: bigint;
  /** As the device tells it. */
  readonly name: string;
  /** `cpu`, `gpu`, `accelerator`. */
  readonly type: string;
  /** As the driver tells it. */
  readonly driverVersion: string;
  /** Bytes of its memory. */
  readonly memory: number;
  /** Which copies the device cannot do, and why. Null: it does all. */
  readonly limitation: string | null;
}

/** `shared`: CUDA managed, SYCL shared. `host`: CUDA pinned or registered, SYCL host. */
export type MemoryKind = 'device' | 'shared' | 'host' | 'pageable' | 'unknown';

/** Where a memory begins and ends. */
export interface Allocation {
  /** Address of the first byte. */
  readonly pointer: bigint;
  /** Bytes. */
  readonly byteLength: number;
}

/** What a backend finds behind a pointer. Unknown memory is an answer, not an error. */
export interface PointerInfo {
  /** Which kind of memory it is. */
  readonly memoryKind: MemoryKind;
  /** Index among `devices()`, or null. */
  readonly device: number | null;
  /** Null where the backend did not allocate it and cannot ask for its range. */
  readonly allocation: Allocation | null;
  /** Whether code of this process may read and write there. */
  readonly hostAccessible: boolean;
}
