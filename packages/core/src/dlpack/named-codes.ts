import type { NamedDType } from '../dtype/named-dtypes.js';

/**
 * Code, bits and lanes of each in DLPack 1.1 to 1.3. Types of six and four bits in a byte of their
 * own are padded.
 */
export const NAMED_DTYPES: Readonly<
  Record<NamedDType, readonly [code: number, bits: number, lanes: number]>
> = {
  complex32: [5, 32, 1],
  bfloat16: [4, 16, 1],
  float8_e3m4: [7, 8, 1],
  float8_e4m3: [8, 8, 1],
  float8_e4m3b11fnuz: [9, 8, 1],
  float8_e4m3fn: [10, 8, 1],
  float8_e4m3fnuz: [11, 8, 1],
  float8_e5m2: [12, 8, 1],
  float8_e5m2fnuz: [13, 8, 1],
  float8_e8m0fnu: [14, 8, 1],
  float6_e2m3fn: [15, 6, 1],
  float6_e3m2fn: [16, 6, 1],
  float4_e2m1fn: [17, 4, 1],
  float4_e2m1fn_x2: [17, 4, 2],
};
