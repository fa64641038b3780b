import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Backend, BackendArray, DTypeName } from '@array-interface/core';
import { defineKernel, type Kernel, type SyclCode } from '@array-interface/core/kernel';
import { cuda } from '@array-interface/cuda';
import {
  argmin,
  countNonzero,
  cumulativeSum,
  explainExpression,
  max,
  std,
  sum,
} from '@array-interface/expressions';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import { afterAll, expect, test, vi } from 'vitest';

// The tools of others judge the code, where they are installed. Its results are compared elsewhere.

const folder = mkdtempSync(path.join(tmpdir(), 'expressions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NUMBERS: readonly DTypeName[] = [
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
];
const FLOATS: readonly DTypeName[] = ['float16', 'float32', 'float64'];
const TEXTS: readonly (readonly [readonly DTypeName[], string])[] = [
  [[...NUMBERS, ...FLOATS], 'x + y - x * y / (x // y) + x % y'],
  [
    [...NUMBERS, ...FLOATS],
    'minimum(x, y) < maximum(x, y) && x == y || !(x <= y) ? clip(x, 0, y) : -abs(x)',
  ],
  [NUMBERS, '(x & y | ~x ^ y) << 3 >> y'],
  [NUMBERS, 'x ** y + int8(x) + uint16(y) + i0'],
  [
    FLOATS,
    'sqrt(x) + floor(x) * ceil(y) + trunc(x) + round(y) + copysign(x, nextafter(x, y)) + sign(y)',
  ],
  [
    FLOATS,
    'int8(x) + uint8(x) + int32(y) + uint64(y) + float16(x) + float64(signbit(x) || isnan(y) && isinf(x))',
  ],
  [['complex64', 'complex128'], '(x + y * x) / y - conj(x) ** 2 + where(x == y, real(x), imag(y))'],
  [
    ['complex64', 'complex128'],
    'exp(x) * log(y) + sqrt(x) ** y + sin(x) * tanh(y) + acosh(x) - atan(y) + abs(x) * sign(y)',
  ],
  [['bool'], '(x & y | ~x) + (x ^ y) ? int64(x) : int16(x // y)'],
];
const CASES = TEXTS.flatMap(([types, text]) => types.map((type) => [type, text] as const));

function isThere(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

/** What a tool says of a file. Nothing if it accepts it. */
function faults(command: string, args: readonly string[], contents: string | Uint8Array): string {
  const file = path.join(folder, 'code');
  writeFileSync(file, contents);
  const { status, stdout, stderr } = spawnSync(command, [...args, file], { encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

test.skipIf(!isThere('spirv-val'))('spirv-val accepts the SPIR-V', () => {
  for (const [type, text] of CASES) {
    const { spirv } = explainExpression(text, { x: type, y: type });
    expect([type, text, faults('spirv-val', ['--target-env', 'opencl2.0'], spirv)]).toEqual([
      type,
      text,
      '',
    ]);
  }
});

test.skipIf(!isThere('ptxas'))('ptxas accepts the PTX', () => {
  const all = CASES.map(([type, text], index) => {
    const { ptx } = explainExpression(text, { x: type, y: type });
    const entry = ptx.slice(ptx.indexOf('.visible')).replaceAll('expression', `expression${index}`);
    return index === 0 ? ptx : entry;
  });
  expect(faults('ptxas', ['-arch=sm_75', '-o', path.join(folder, 'cubin')], all.join('\n'))).toBe(
    '',
  );
});

let known: Promise<Kernel[]> | null = null;

/** The code of some reductions, of one launch and of two. Calls check a launch once. */
const reductionKernels = () => {
  known ??= codeOfReductions();
  return known;
};

async function codeOfReductions(): Promise<Kernel[]> {
  const kernels = new Set<Kernel>();
  const types = [...NUMBERS, ...FLOATS, 'bool', 'complex64'] as const;
  for (const [backend, own] of [
    [host, types],
    [cuda, ['uint8', 'float16', 'float64', 'bool', 'complex64']],
  ] as const) {
    // Work of several steps launches by this, which does not wait.
    const steps = backend as unknown as { maker: { checkLaunch(kernel: Kernel): unknown } };
    const { maker } = steps;
    vi.spyOn(steps, 'maker', 'get').mockReturnValue(maker);
    const checkLaunch = vi.spyOn(maker, 'checkLaunch');
    for (const type of own) {
      using x = await backend.ones([2, 9, 100], type);
      await reduceAll(backend, x);
    }
    for (const [kernel] of checkLaunch.mock.calls) kernels.add(kernel);
    vi.restoreAllMocks();
  }
  return [...kernels].filter(({ code }) => code.cuda !== undefined);
}

/** In ways whose trees devices do not cut, cut in lanes, and cut with outputs side by side; the host cuts none. */
async function reduceAll(backend: Backend, x: BackendArray): Promise<void> {
  const all: readonly (typeof max)[] =
    x.dtype.name === 'complex64' ? [sum, countNonzero] : [sum, max, std, argmin, countNonzero];
  for (const reduce of all) {
    (await cumulativeSum(backend, x, { axis: 2 })).dispose();
    (await cumulativeSum(backend, x, { axis: 0 })).dispose();
    for (const axis of [1, [0, 2]]) {
      (await reduce(backend, x.transpose(), { axis: axis as number })).dispose();
    }
    if (backend === host) continue;
    (await reduce(backend, x, { axis: 2 })).dispose();
    using columns = await backend.array(x.reshape([18, 100]).transpose());
    (await reduce(backend, columns.broadcastTo([3, 100, 18]), { axis: 1 })).dispose();
    (await reduce(backend, x.transpose())).dispose();
    (await reduce(backend, columns, { axis: 0 })).dispose();
  }
}

test.skipIf(!isThere('spirv-val'))(
  'spirv-val accepts the SPIR-V of reductions',
  async () => {
    const kernels = await reductionKernels();
    expect(kernels.length).toBeGreaterThan(100);
    for (const { name, code } of kernels) {
      expect([
        name,
        faults('spirv-val', ['--target-env', 'opencl2.0'], (code.sycl as SyclCode).spirv),
      ]).toEqual([name, '']);
    }
  },
  120_000,
);

test.skipIf(!isThere('ptxas'))(
  'ptxas accepts the PTX of reductions',
  async () => {
    const texts = (await reductionKernels()).map(({ code }) => (code.cuda as { ptx: string }).ptx);
    const all = texts.map((ptx, index) => {
      const entry = ptx
        .slice(ptx.indexOf('.visible'))
        .replaceAll('expression', `expression${index}`);
      return index === 0 ? ptx : entry;
    });
    expect(faults('ptxas', ['-arch=sm_75', '-o', path.join(folder, 'cubin')], all.join('\n'))).toBe(
      '',
    );
  },
  300_000,
);

test('code is the same for the same text and types', () => {
  const [one, other] = [0, 1].map(() =>
    explainExpression('x * y + 1', { x: 'float32', y: 'int8' }),
  );
  expect(one).toEqual(other);
  expect(one?.program.split('\n')).toEqual([
    'r0 = load x: float32',
    'r1 = load y: int8',
    'r2 = convert r1: float32',
    'r3 = multiply r0, r2: float32',
    'r4 = constant 1: float32',
    'r5 = add r3, r4: float32',
    'r6 = equal r5, r5: bool',
    'r7 = not r6: bool',
    'r8 = constant NaN: float32',
    'r9 = select r7, r8, r5: float32',
    'result = r9: float32',
  ]);
});

test.each([
  ['the host', host],
  ['the simulator', cuda],
  ['SYCL', sycl],
] as const)('the codes of an explanation are kernels, on %s', async (_, backend) => {
  const { ptx, spirv, host: program } = explainExpression('x * y + 1', { x: 'float32', y: 'int8' });
  const kernel = defineKernel({
    name: 'expression',
    parameters: {
      first: 'uint32',
      total: 'uint32',
      result: { write: 'float32' },
      x: { read: 'float32' },
      y: { read: 'int8' },
    },
    code: { cuda: { ptx }, sycl: { spirv }, host: { program } },
  });
  using x = await backend.array([1, 2, 3], { dtype: 'float32' });
  using y = await backend.array([4, 5, 6], { dtype: 'int8' });
  using result = backend.empty([3], 'float32');
  await backend.launch(kernel, { range: [3] }, { first: 0, total: 3, result, x, y });
  expect(await result.toNested()).toEqual([5, 11, 19]);
});
