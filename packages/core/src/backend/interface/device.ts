/** Whether a backend can be used on this machine, and what to do if not. */
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
      /** Every location that was searched, and the result there. */
      readonly tried: readonly string[];
      /** What to install or set to make it available. */
      readonly remedy: string;
    };

/** Type of a device: one of SYCL's names, or another in lower case. */
export type DeviceType = 'cpu' | 'gpu' | 'accelerator' | 'custom' | (string & {});

/** A device of a backend, as it describes itself. */
export interface DeviceInfo {
  /** Index among the devices of the backend. */
  readonly index: number;
  /**
   * The native device, for code that calls the driver itself: a CUdevice, the address of a
   * DPCTLSyclDeviceRef that lives as long as the process, or 0n on the host.
   */
  readonly handle: bigint;
  /** Name, as the device reports it. */
  readonly name: string;
  /** Type of device. */
  readonly type: DeviceType;
  /** Version, as the driver reports it. */
  readonly driverVersion: string;
  /** Size of its memory in bytes. */
  readonly memory: number;
  /** Which copies the device cannot do, and why. Null if it can do all. */
  readonly limitation: string | null;
}

/**
 * Kind of memory. `shared`: CUDA managed, SYCL shared. `host`: CUDA pinned or registered, SYCL
 * host.
 */
export type MemoryKind = 'device' | 'shared' | 'host' | 'pageable' | 'unknown';

/** A range of allocated memory. */
export interface Allocation {
  /** Address of the first byte. */
  readonly pointer: bigint;
  /** Size in bytes. */
  readonly byteLength: number;
}

/**
 * What a backend knows about the memory at an address. Unknown memory is reported as such, not as
 * an error.
 */
export interface PointerInfo {
  /** Kind of memory. */
  readonly memoryKind: MemoryKind;
  /** Index among `devices()`, or null. */
  readonly device: number | null;
  /**
   * The allocation that contains the address. Null if the backend did not allocate it and cannot
   * query its range.
   */
  readonly allocation: Allocation | null;
  /** Whether code of this process may read and write the memory. */
  readonly hostAccessible: boolean;
}
