import type { ArrayCapsule, ArrayProducer } from '@array-interface/abi';

/** The sum of a float32 array in host memory, with any strides. Throws a TypeError for others. */
export declare function sum(array: ArrayProducer | ArrayCapsule): number;

/** The float32 numbers 0, 1, 2, … Throws a RangeError. */
export declare function ramp(length: number): ArrayCapsule;

/** The same array, in any memory, as this addon passes it on. */
export declare function through(array: ArrayProducer | ArrayCapsule): ArrayCapsule;
