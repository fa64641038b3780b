/** Returns whole numbers below a limit, the same for the same seed. */
function numbers(seed) {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Returns an expression of so many operations, as numexpr and NumPy write it too. */
function drawn(below, operations) {
  if (operations === 0) return ['x', 'y', 'x', 'y', String(1 + below(9))][below(5)];
  const left = below(operations);
  const parts = () => [drawn(below, left), drawn(below, operations - 1 - left)];
  switch (below(8)) {
    case 0:
      return `sqrt(abs(${drawn(below, operations - 1)} * x))`;
    case 1: {
      const [a, b] = parts();
      return `where(x > y, ${a} + x, ${b})`;
    }
    default: {
      const [a, b] = parts();
      return `(${a} ${'+-*/+*'[below(6)]} ${b})`;
    }
  }
}

/**
 * Returns a function that returns random texts with x and y, of at most so many operations, as
 * numexpr, NumPy and dpnp write them too.
 */
export function randomTexts(seed, most) {
  const below = numbers(seed);
  return () => {
    for (;;) {
      const text = drawn(below, 1 + below(most));
      if (text.includes('x') && text.includes('y')) return text;
    }
  };
}
