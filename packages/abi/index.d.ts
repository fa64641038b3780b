import type { arrayCapsule as symbol } from '@array-interface/core/backend' with {
  'resolution-mode': 'import',
};

/** The folder of `array_interface.h` and `dlpack.h`, for a compiler's include path. */
export declare const include: string;

/** The name of the method that exports a capsule: `Symbol.for('array-interface.array')`. */
export declare const arrayCapsule: typeof symbol;

/** Capsules, and the objects that export them. Core defines the types, for TypeScript only. */
export type { ArrayCapsule, ArrayProducer } from '@array-interface/core' with {
  'resolution-mode': 'import',
};
