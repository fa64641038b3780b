import { dtype, makeDescriptor } from '@array-interface/core';

const SIDE = 4096;
const PIXELS = 4096 * 5461;

/** A layout: dtype, shape, byte strides, and the first element's offset in its block. */
const side = (type, shape, byteStrides, offset = 0) => ({ type, shape, byteStrides, offset });
const dense = (type, shape) => {
  const { itemsize } = dtype(type);
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, itemsize));
  return side(type, shape, strides);
};
const square = dense('float32', [SIDE, SIDE]);
const turned = (n) => side('float32', [n, n], [4, 4 * n]);
const pixels = side('uint8', [3, 4096, 5461], [1, 3 * 5461, 3]);

/** Destination and source of each copy, by the name that the peers' programs use. */
export const LAYOUTS = {
  'contiguous f4': [square, square],
  'transposed f4, 4096 x 4096': [square, turned(4096)],
  'transposed f4, 4032 x 4032': [dense('float32', [4032, 4032]), turned(4032)],
  'channels last to first, u1': [dense('uint8', [3, 4096, 5461]), pixels],
  'channels last to first, u1 to f4': [dense('float32', [3, 4096, 5461]), pixels],
  'channels last to first, f4': [
    dense('float32', [3, 2364, 2366]),
    side('float32', [3, 2364, 2366], [4, 12 * 2366, 12]),
  ],
  'channels last to first of 224 x 224, u1 to f4': [
    dense('float32', [3, 224, 224]),
    side('uint8', [3, 224, 224], [1, 3 * 224, 3]),
  ],
  'padded crop f4': [square, side('float32', [SIDE, SIDE], [4160 * 4, 4])],
  'reversed on both axes f4': [
    square,
    side('float32', [SIDE, SIDE], [-SIDE * 4, -4], SIDE * SIDE * 4 - 4),
  ],
  'one row broadcast f4': [square, side('float32', [SIDE, SIDE], [0, 4])],
  'f2 to f4': [square, dense('float16', [SIDE, SIDE])],
  'f8 to f4': [square, dense('float64', [SIDE, SIDE])],
  'big-endian f4 to native': [square, dense('>f4', [SIDE, SIDE])],
};

/** Bytes of the largest side of all. */
export const LARGEST = PIXELS * 3 * 4;

/** Bytes that a copy writes. */
export const writtenBytes = ([{ shape, type }]) =>
  shape.reduce((a, b) => a * b, 1) * dtype(type).itemsize;

/** Bytes that a copy reads. An element that it reads repeatedly counts once. */
export const readBytes = ([, { shape, type, byteStrides }]) =>
  shape.reduce((bytes, extent, axis) => (byteStrides[axis] === 0 ? bytes : bytes * extent), 1) *
  dtype(type).itemsize;

/** Bytes of the larger side of a copy. */
export function bytesOf([to, from]) {
  const size = to.shape.reduce((a, b) => a * b, 1);
  return size * Math.max(dtype(to.type).itemsize, dtype(from.type).itemsize);
}

/** A layout over an array of a backend that has at least LARGEST bytes. */
export function descriptor(block, { type, shape, byteStrides, offset }) {
  const pointer = block.pointer + BigInt(offset);
  return makeDescriptor({ pointer, shape, byteStrides, dtype: dtype(type), owner: block.memory });
}

/** The dtypes of PyTorch 1.13. */
const TORCH_TYPES = ['|b1', '|u1', '<i2', '<f2', '<i4', '<f4', '<i8', '<f8', '<c8', '<c16'];

/**
 * Whether PyTorch 1.13 supports both sides of a layout: it has no uint16, big-endian numbers or
 * negative strides.
 */
export const torchHas = (layout) =>
  layout.every(
    ({ type, byteStrides }) =>
      TORCH_TYPES.includes(type) && byteStrides.every((stride) => stride >= 0),
  );
