/** A backend under test, as programs in processes of their own find it. */
export interface Subject {
  /** The package to import, e.g. `@array-interface/host`. */
  readonly module: string;
  /** The name of the backend among the package's exports; its addon is NAME.node. */
  readonly name: string;
  /** A folder of the package, in which programs run. */
  readonly folder: string;
  /** A kind of new memory that this process reaches. */
  readonly inPlace: string;
  /** Allocations of the process that are not given back. */
  readonly liveAllocations: () => number;
  /** `twice`, with its code for the device; left out where JavaScript runs. */
  readonly kernel?: {
    readonly name: string;
    readonly parameters: object;
    readonly code: {
      readonly cuda?: { readonly ptx: string };
      readonly sycl?: { readonly spirv: Uint8Array };
    };
  };
  /** How many workers run at once, and a tenth of the arrays that are collected; default 3. */
  readonly count?: number;
}

export const DEFAULT_COUNT = 3;
