/** A backend under test, as programs in separate processes import it. */
export interface Subject {
  /**
   * The name of the backend: it is exported by `@array-interface/NAME`, which programs import, and its
   * addon is NAME.node.
   */
  readonly name: string;
  /** A folder of the package, in which programs run. */
  readonly folder: string;
  /** A kind of new memory that this process can access. */
  readonly inPlace: string;
  /** The process's allocations that are not freed. */
  readonly liveAllocations: () => number;
  /** `twice`, with its code for the device; omitted if JavaScript runs it. */
  readonly kernel?: {
    readonly name: string;
    readonly parameters: object;
    readonly code: {
      readonly cuda?: { readonly ptx: string };
      readonly sycl?: { readonly spirv: Uint8Array };
    };
  };
}

/** How many workers run at once, and a tenth of the number of collected arrays. */
export const COUNT = 3;
