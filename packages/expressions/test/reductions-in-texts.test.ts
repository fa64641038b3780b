import {
  type Backend,
  type BackendArray,
  type DTypeName,
  isArrayInterfaceError,
} from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import { cuda, liveAllocations as onCuda } from '@array-interface/cuda';
import {
  elementwise,
  evaluate,
  evaluateSync,
  explainExpression,
  logSumExp,
  mean,
  reduction,
  std,
  sum,
} from '@array-interface/expressions';
import { host, liveAllocations as onHost } from '@array-interface/host';
import { liveAllocations as onSycl, sycl } from '@array-interface/sycl';
import { describe, expect, test, vi } from 'vitest';

const backends: readonly [string, Backend, () => number][] = [
  ['the host', host, onHost],
  ['the simulator', cuda, onCuda],
  ['SYCL', sycl, onSycl],
];

async function values(backend: Backend, array: BackendArray): Promise<unknown[]> {
  return [...((await backend.toTypedArray(array)) as Float64Array)];
}

describe.each(backends)('on %s', (_, backend, live) => {
  const made = async (text: string, operands: Record<string, never>) => {
    using result = await evaluate(backend, text, operands);
    return [result.dtype.name, [...result.shape], await values(backend, result)];
  };

  test('what is around a reduction is computed with it', async () => {
    using x = await backend.array([[1, 2, 3], [4, 5, 7]], { dtype: 'float32' }); // biome-ignore format: rows
    using mask = await backend.array([[true, false, true], [true, true, true]]); // biome-ignore format: rows
    const CASES: readonly (readonly [text: string, ...result: unknown[]])[] = [
      ['sum(x)', 'float32', [], [22]],
      ['sum(where(mask, x - 1, 0), axis=1)', 'float32', [2], [2, 13]],
      ['sum(where(mask, x - max(x), 0), axis=1)', 'float32', [2], [-10, -5]],
      ['x - mean(x, axis=0, keepdims=true)', 'float32', [2, 3], [-1.5, -1.5, -2, 1.5, 1.5, 2]],
      ['let m = mean(x, axis=0); max(abs(x - m)) * n', 'float32', [], [10]],
      ['sqrt(sum(x * x, axis=(0, -1), keepdims=true) + 17)', 'float32', [1, 1], [11]],
      ['var(x, axis=0, correction=1) / count', 'float32', [3], [2.25, 2.25, 4]],
      ['count_nonzero(x > 2, axis=1) / 2', 'float64', [2], [0.5, 1.5]],
      ['argmax(x, axis=1) * 10 + argmin(x, axis=1)', 'int64', [2], [20n, 20n]],
      ['all(x > 1, axis=0) && any(mask, axis=0)', 'bool', [3], [0, 1, 1]],
      ['sum(x * i1, axis=1)', 'float64', [2], [8, 19]],
      ['prod(x, dtype=int8) + min(x)', 'float32', [], [73]],
      ['sum(x, axis=0) - sum(x, axis=0, keepdims=true)', 'float32', [1, 3], [0, 0, 0]],
      [
        'max(x, axis=0, keepdims=true) - max(x, axis=1, keepdims=true)',
        'float32',
        [2, 3],
        [1, 2, 4, -3, -2, 0],
      ],
      ['sum(sum(x, axis=1)) + sum(sum(x, axis=0))', 'float32', [], [44]],
    ];
    for (const [text, ...expected] of CASES) {
      const all = { x, mask, n: 5, count: 2 };
      const operands = Object.fromEntries(
        Object.entries(all).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text)),
      );
      expect([text, ...(await made(text, operands as never))]).toEqual([text, ...expected]);
    }
  }, 120_000);

  test('the bits are those of the reductions by themselves, and nothing is kept', async () => {
    const before = live();
    {
      const numbers = Float64Array.from({ length: 5000 }, (_, i) => Math.sin(i) * 10 ** (i % 7));
      using x = await backend.array(numbers, { shape: [50, 100] });
      using centre = await mean(backend, x, { axis: 0 });
      using spread = await std(backend, x, { axis: 0 });
      using one = await evaluate(backend, '(x - m) / s', { x, m: centre, s: spread });
      using other = await evaluate(backend, '(x - mean(x, axis=0)) / std(x, axis=0)', { x });
      expect(await values(backend, other)).toEqual(await values(backend, one));
      using total = await sum(backend, one);
      using same = await evaluate(backend, 'sum((x - mean(x, axis=0)) / std(x, axis=0))', { x });
      expect(await values(backend, same)).toEqual(await values(backend, total));
      await evaluate(backend, 'x - mean(x)', { x }, { out: x });
      using rest = await evaluate(backend, 'abs(sum(x)) < 1e-3', { x });
      expect(await rest.item()).toBe(true);
    }
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  }, 120_000);

  test('of no elements, and of numbers', async () => {
    using none = backend.empty([0, 2], 'float32');
    expect(await made('sum(none + 1) * n + logsumexp(none)', { none, n: 5 } as never)).toEqual([
      'float32',
      [],
      [Number.NEGATIVE_INFINITY],
    ]);
    expect(await made('max(none, axis=1)', { none } as never)).toEqual(['float32', [0], []]);
    await expect(evaluate(backend, '1 + min(none)', { none })).rejects.toThrow(
      'text:1:5: expected at least one element to reduce, got the shape [0,2]',
    );
    expect(await made('sum(n) * 2', { n: 4n } as never)).toEqual(['int64', [], [8n]]);
  });

  test('what is refused writes nothing and keeps nothing', async () => {
    using x = await backend.array([1, 2, 3], { dtype: 'float32' });
    using tiny = backend.empty([3], 'int8');
    const before = live();
    const refused = (code: string, work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({ code });
    await refused('ERR_SHAPE_MISMATCH', evaluate(backend, 'sum(x) * 2', { x }, { out: x }));
    await refused(
      'ERR_OVERLAP',
      evaluate(backend, 'sum(x, keepdims=true)', { x }, { out: x.slice([[0, 1]]) }),
    );
    await refused('ERR_ARGUMENT', evaluate(backend, 'x - mean(x, axis=1)', { x }));
    await refused('ERR_CASTING', evaluate(backend, 'x - mean(x)', { x }, { out: tiny }));
    expect(await values(backend, x)).toEqual([1, 2, 3]);
    await vi.waitFor(() => expect(live()).toBeLessThanOrEqual(before), 60_000);
  });
});

describe('a fault is shown where it is', () => {
  const messageOf = async (text: string, x: unknown = Float32Array.of(1, 2)) => {
    try {
      (await evaluate(host, text, { x } as never)).dispose();
    } catch (error) {
      if (isArrayInterfaceError(error)) return error.message;
      throw error;
    }
    return 'no error';
  };
  test.each([
    ['sum(x, axis=1)', '[ERR_ARGUMENT] text:1:13: expected an axis in -1 .. 0, got 1\n  | sum(x, axis=1)\n  |             ^'],
    ['sum(x, axis=(0, -1))', 'text:1:13: expected each axis once, got axis 0 twice\n  | sum(x, axis=(0, -1))\n  |             ^^^^^^^'],
    ['sum(x, axs=1)', "text:1:8: expected one of the options axis, keepdims, dtype, got 'axs'; did you mean 'axis'?"],
    ['sum(x, axis=x)', "text:1:13: expected an axis, or axes in parentheses, got 'x'"],
    ['sum(x, axis=1.5)', "text:1:13: expected an axis, or axes in parentheses, got '1.5'"],
    ['sum(x, axis=+)', "text:1:13: expected a number, a name, or numbers in parentheses, got '+'"],
    ['sum(x, axis=(0 1))', "text:1:16: expected ',' or ')', got '1'"],
    ['sum(x, keepdims=1)', "text:1:17: expected true or false, got '1'"],
    ['sum(x, keepdims=true, keepdims=true)', "text:1:23: expected each option once, got another 'keepdims'"],
    ['sum(x, dtype=float23)', "text:1:14: expected a dtype of numbers, got 'float23'; did you mean 'float16'?"],
    ['std(x, correction=true)', "text:1:19: expected a number, got 'true'"],
    ['sum(x, axis=0, x)', "text:1:16: expected an option 'name=…', since one is before it, got 'x'"],
    ['sum(x, 1=0)', "text:1:8: expected the name of an option, got '1'"],
    ['sum(x, x)', 'text:1:1: expected 1 operand of sum, got 2'],
    ['sqrt(x, axis=0)', "text:1:9: expected no options of sqrt, got 'axis'\n  | sqrt(x, axis=0)\n  |         ^^^^^^"],
    ['1 + summ(x)', "text:1:5: expected the name of a function or of a dtype, got 'summ'; did you mean 'sum'?"],
    ['sum(1 + (x << 1))', 'text:1:10: expected integers, got float32'],
    ['1 + max(x * i1)', "text:1:5: expected an index of the 1 axes of the operands, got 'i1'"],
  ])('%s', async (text, expected) => {
    expect(await messageOf(text)).toContain(expected);
  }); // biome-ignore format: rows

  test('complex numbers have no order', async () => {
    using z = await host.ones([2], 'complex64');
    expect(await messageOf('1 + max(x * x)', z)).toContain(
      'text:1:9: expected real numbers for max, got complex64',
    );
    expect(await messageOf('sum(x * x)', z)).toBe('no error');
  });

  test('where elements are computed by themselves, there are none', () => {
    const types = { inputs: { x: 'T' }, outputs: { y: 'T' } } as const;
    const expected = "expected a function of elements, got 'sum'; evaluate() has reductions";
    expect(() => elementwise('f', types, 'y = x - sum(x)')).toThrow(`text:1:9: ${expected}`);
    expect(() => reduction('f', types, { map: 'sum(x)', reduce: 'a + b' })).toThrow(
      `map:1:1: ${expected}`,
    );
    expect(() => evaluateSync('x - sum(x)', { x: Float32Array.of(1) })).toThrow(
      `text:1:5: ${expected}`,
    );
  });
});

describe('the plan is shown', () => {
  const planOf = (text: string, type: DTypeName = 'float32') => {
    const { before, program, type: own } = explainExpression(text, { x: type });
    return [...before.map((one) => one.type), own, /\$\d/g.exec(program)?.[0] ?? 'x'];
  };
  test.each([
    ['x + 1', ['float32', 'x']],
    ['sum(x * x)', ['float32', 'x']],
    ['2 * sqrt(mean(x * x)) + 1', ['float32', 'x']],
    ['x - mean(x)', ['float32', 'float32', '$1']],
    ['let m = max(x); sum(exp(x - m)) * m', ['float32', 'float32', 'float32', '$1']],
    ['let m = max(x); m * m + log(m)', ['float32', 'x']],
    ['max(x) - max(x)', ['float32', 'x']],
    ['max(x) - min(x)', ['float32', 'float32', 'float32', '$1']],
    ['sum(x - mean(x), axis=0) / 2', ['float32', 'float32', '$1']],
    ['argmax(x) + x', ['int64', 'float64', '$1']],
    ['sum(x) * i0', ['float32', 'float64', '$1']],
  ])('%s', (text, expected) => {
    expect(planOf(text)).toEqual(expected);
  });

  test('its code runs', async () => {
    const { program, host: code, before } = explainExpression('sqrt(sum(x * x))', { x: 'float32' });
    expect(before).toEqual([]);
    expect(program.split('\n').filter((line) => line.endsWith(':'))).toEqual([
      'map:',
      'reduce:',
      'finish:',
    ]);
    const numbers = [
      'first',
      'total',
      'lanes',
      'rows',
      'rest',
      'leafRows',
      'leaves',
      'size',
      'pieces',
      'shift',
    ] as const;
    const kernel = defineKernel({
      name: 'rows',
      parameters: {
        ...(Object.fromEntries(numbers.map((name) => [name, 'uint32'])) as Record<
          (typeof numbers)[number],
          'uint32'
        >),
        result: { write: 'float32', strides: 1 },
        x: { read: 'float32', strides: 2 },
      },
      code: { host: { program: code } },
    });
    using x = await host.array([[3, 4], [6, 8]], { dtype: 'float32' }); // biome-ignore format: rows
    using result = host.empty([2], 'float32');
    const tree = {
      lanes: 2,
      rows: 1,
      rest: 0,
      leafRows: 16,
      leaves: 1,
      size: 1,
      pieces: 1,
      shift: 4,
    };
    await host.launch(kernel, { range: [2] }, { first: 0, total: 2, ...tree, result, x });
    expect(await values(host, result)).toEqual([5, 10]);
  });
});

test('logSumExp neither overflows nor loses what is small', async () => {
  const of = async (numbers: readonly number[], type: DTypeName = 'float64') => {
    using x = await host.array(numbers, { dtype: type });
    using y = await logSumExp(host, x);
    return [y.dtype.name, Number(await y.item())];
  };
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
  expect(await of([1000, 1000])).toEqual(['float64', 1000 + Math.LN2]);
  expect(await of([-1000, -1000])).toEqual(['float64', Math.LN2 - 1000]);
  expect(await of([0, 1e-300])).toEqual(['float64', Math.LN2]);
  expect(await of([-inf, -inf, 3], 'float32')).toEqual(['float32', 3]);
  expect(await of([-inf, -inf])).toEqual(['float64', -inf]);
  expect(await of([inf, 1, inf])).toEqual(['float64', inf]);
  expect(await of([inf, -inf])).toEqual(['float64', inf]);
  expect(await of([1, nan, inf])).toEqual(['float64', nan]);
  expect(await of([])).toEqual(['float64', -inf]);
  expect(await of([0, 0, 0, 0], 'int8')).toEqual(['float64', Math.log(4)]);
});
