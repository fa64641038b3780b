/**
 * A dtype without a typestr. Dicts hold opaque bytes (`|V2`, `|V1`); a `DType` stores this name
 * beside them. The names are those of PyTorch and ml_dtypes.
 */
export type NamedDType =
  | 'complex32'
  | 'bfloat16'
  | 'float8_e3m4'
  | 'float8_e4m3'
  | 'float8_e4m3b11fnuz'
  | 'float8_e4m3fn'
  | 'float8_e4m3fnuz'
  | 'float8_e5m2'
  | 'float8_e5m2fnuz'
  | 'float8_e8m0fnu'
  | 'float6_e2m3fn'
  | 'float6_e3m2fn'
  | 'float4_e2m1fn'
  | 'float4_e2m1fn_x2';

/** Size of one element of each in bytes. */
const BYTES: Readonly<Record<NamedDType, number>> = {
  complex32: 4,
  bfloat16: 2,
  float8_e3m4: 1,
  float8_e4m3: 1,
  float8_e4m3b11fnuz: 1,
  float8_e4m3fn: 1,
  float8_e4m3fnuz: 1,
  float8_e5m2: 1,
  float8_e5m2fnuz: 1,
  float8_e8m0fnu: 1,
  float6_e2m3fn: 1,
  float6_e3m2fn: 1,
  float4_e2m1fn: 1,
  float4_e2m1fn_x2: 1,
};

/** Returns whether a value is one of the names. */
export function isNamedDType(value: unknown): value is NamedDType {
  return typeof value === 'string' && Object.hasOwn(BYTES, value);
}

/** Returns the name of a dtype without a typestr. Undefined for any other dtype. */
export function ownName({ name }: { readonly name?: string }): NamedDType | undefined {
  return isNamedDType(name) ? name : undefined;
}

/** Returns the text that says all of a dtype but its fields: such a name, or its typestr. */
export function typeText(dtype: { readonly name?: string; readonly typestr: string }): string {
  return ownName(dtype) ?? dtype.typestr;
}

/** Returns the typestr that holds one element: opaque bytes. */
export function typestrOf(name: NamedDType): string {
  return `|V${BYTES[name]}`;
}
