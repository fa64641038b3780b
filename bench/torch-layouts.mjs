const TYPES = ['|b1', '|u1', '<i2', '<f2', '<i4', '<f4', '<i8', '<f8', '<c8', '<c16'];

/** Whether PyTorch 1.13 has both sides of a layout: neither uint16, big-endian numbers nor negative strides. */
export const torchHas = (layout) =>
  layout.every(
    ({ type, byteStrides }) => TYPES.includes(type) && byteStrides.every((stride) => stride >= 0),
  );
