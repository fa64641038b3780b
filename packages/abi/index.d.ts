import type { arrayCapsule as symbol } from '@array-interface/core/backend' with {
  'resolution-mode': 'import',
};

/** The folder of `array_interface.h` and `dlpack.h`, for a compiler's include path. */
export declare const include: string;

/** The name of the method that gives a capsule: `Symbol.for('array-interface.array')`. */
export declare const arrayCapsule: typeof symbol;

/** What addons hand over, and what gives it. Core has the types, for TypeScript alone. */
export type { ArrayCapsule, ArrayProducer } from '@array-interface/core' with {
  'resolution-mode': 'import',
};
