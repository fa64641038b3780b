/** A backend under test, as programs of their own find it. */
export interface Subject {
  /** The package to import, e.g. `@array-interface/host`. */
  readonly module: string;
  /** The name of its backend among its exports. */
  readonly name: string;
  /** Allocations of the process that are not given back. */
  readonly liveAllocations: () => number;
}
