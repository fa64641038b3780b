/** Offset, shape and byte strides of elements that share no bytes, with the axes in any order. */
export function randomLayout(pick, shape, itemsize) {
  const axes = [...shape.keys()];
  for (let i = axes.length - 1; i > 0; i--) {
    const j = pick(0, i);
    [axes[i], axes[j]] = [axes[j], axes[i]];
  }
  const byteStrides = shape.map(() => 0);
  let span = itemsize;
  let offset = pick(0, 1) === 0 ? 16 : pick(0, 17);
  for (const axis of axes) {
    const stride = span + (pick(0, 1) === 0 ? 0 : pick(0, 9));
    const isReversed = pick(0, 2) === 0;
    byteStrides[axis] = isReversed ? -stride : stride;
    if (isReversed) offset += (shape[axis] - 1) * stride;
    span = stride * shape[axis];
  }
  return { offset, shape, byteStrides };
}

/** How many bytes a block needs for the layout, with some to spare. */
export function reach({ offset, shape, byteStrides }, itemsize) {
  const steps = shape.map((length, axis) => Math.max(0, (length - 1) * byteStrides[axis]));
  return steps.reduce((end, step) => end + step, offset + itemsize) + 16;
}

/** The same copy as a backend's, as a loop over every index in JavaScript memory. */
export function copyPlainly(to, target, from, source, itemsize) {
  const visit = (axis, at, origin) => {
    if (axis === to.shape.length) {
      target.set(source.subarray(origin, origin + itemsize), at);
      return;
    }
    for (let i = 0; i < to.shape[axis]; i++) {
      visit(axis + 1, at + i * to.byteStrides[axis], origin + i * from.byteStrides[axis]);
    }
  };
  visit(0, to.offset, from.offset);
}

/** Bytes without a regularity that a wrong copy could reproduce. */
export function pattern(byteLength, seed) {
  return Uint8Array.from(
    { length: byteLength },
    (_, i) => (i * 37 + (i >> 8) * 11 + seed * 101) % 251,
  );
}
