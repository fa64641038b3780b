/** One side of a copy: typestr, shape, byte strides, and the first element's place in its block. */
const side = (typestr, shape, byteStrides, offset = 0) => ({
  typestr,
  shape,
  byteStrides,
  offset,
});

function dense(typestr, shape) {
  const itemsize = Number(typestr.slice(2));
  return side(
    typestr,
    shape,
    shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, itemsize)),
  );
}

const turned = (n) => side('<f4', [n, n], [4, 4 * n]);

/**
 * The copies that are measured, `[name, destination, source]`, at most `1 / scale` of 4096 on a side.
 * peers.py knows the names.
 */
export function works(scale) {
  const [n, m, wide] = [4096 / scale, 4032 / scale, Math.floor(5461 / scale)];
  const square = dense('<f4', [n, n]);
  const pixels = side('|u1', [3, n, wide], [1, 3 * wide, 3]);
  const crop = side('<f4', [n, n], [(n + 64) * 4, 4]);
  return [
    ['contiguous f4', square, square],
    ['transposed f4, 4096 x 4096', square, turned(n)],
    ['transposed f4, 4032 x 4032', dense('<f4', [m, m]), turned(m)],
    ['channels last to first, u1', dense('|u1', [3, n, wide]), pixels],
    ['channels last to first, u1 to f4', dense('<f4', [3, n, wide]), pixels],
    ['padded crop f4', square, crop],
    ['reversed on both axes f4', square, side('<f4', [n, n], [-n * 4, -4], n * n * 4 - 4)],
    ['one row broadcast f4', square, side('<f4', [n, n], [0, 4])],
    ['f2 to f4', square, dense('<f2', [n, n])],
    ['f8 to f4', square, dense('<f8', [n, n])],
    ['big-endian f4 to native', square, dense('>f4', [n, n])],
  ];
}

/** Bytes of the larger side. */
export function bytesOf(to, from) {
  const count = to.shape.reduce((a, b) => a * b, 1);
  return count * Math.max(...[to, from].map(({ typestr }) => Number(typestr.slice(2))));
}

/** Bytes of a block that is large enough for any side of any work. */
export const blockBytes = (scale) => Math.ceil(4096 / scale) * Math.ceil(5462 / scale) * 12;
