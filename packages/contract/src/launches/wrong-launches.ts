import { type ErrorCode, isArrayInterfaceError } from '@array-interface/core';
import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kernelsOf } from '../kernels/kernels-of.js';
import { keepsNothing } from '../support/keeps-nothing.js';
import { OtherQueue } from '../support/other-queue.js';
import { random } from '../support/random-cases.js';
import type { BackendSubject } from '../support/subject.js';

const LENGTH = 1000;
/** Launches in one random program. */
const SEVERAL = 60;
/** More items than any device allows in a group. */
const TOO_MANY = 2 ** 20;

/**
 * One mistake in a launch of `axpy`: how it differs from a correct one, and how every backend
 * refuses it.
 */
interface Mistake {
  readonly what: string;
  readonly code: ErrorCode;
  readonly path: string;
  readonly kernel?: Kernel;
  readonly grid?: object;
  readonly values?: object;
  readonly says?: RegExp;
  /** It is no mistake for backends without such a limit. */
  readonly mayRun?: true;
}

/**
 * Invalid launches: every backend refuses them alike, before anything runs, and the next launch
 * succeeds.
 */
export function wrongLaunches(subject: BackendSubject): void {
  if (subject.kernels === null) return;
  const { backend, kernels } = subject;
  const { axpy } = kernelsOf(backend.name, kernels);
  // A JavaScript function takes any arguments, and the subject's own code is unknown to the suite.
  const isTyped = kernels === undefined && backend.name !== 'host';
  const mistakes = [
    ...inTheGrid(),
    ...inTheArguments(axpy),
    ...(isTyped ? inTheTypes(axpy, `code.${backend.name}`) : []),
  ];

  describe('wrong launches', () => {
    keepsNothing(subject);

    test.each(mistakes)('$what', (mistake) => refuses([mistake]));

    const settings = random(5);
    test(`one after the other, seed ${settings.seed}`, async () => {
      const length = { minLength: SEVERAL, maxLength: SEVERAL };
      const program = fc.array(fc.constantFrom(...mistakes), length);
      await fc.assert(fc.asyncProperty(program, refuses), settings);
    });
  });

  /**
   * Checks that each is refused as expected, that nothing has run, and that a correct launch runs.
   */
  async function refuses(some: readonly Mistake[]): Promise<void> {
    using source = await backend.array(new Float32Array(LENGTH).fill(1));
    using target = await backend.array(new Float32Array(LENGTH).fill(5));
    // what may run must change nothing either
    const right = { source, target, factor: 0, n: LENGTH };
    const all = { range: [LENGTH] };
    const failures = await Promise.all(
      some.map(async ({ kernel = axpy as unknown as Kernel, grid, values }) => {
        const given = Object.entries({ ...right, ...values }).filter(
          ([, one]) => one !== undefined,
        );
        const launched = backend.launch(
          kernel,
          { ...all, ...grid },
          Object.fromEntries(given) as never,
        );
        return launched.then(
          () => null,
          (error: unknown) => error,
        );
      }),
    );
    for (const [index, { what, code, path, says, mayRun }] of some.entries()) {
      const error = failures[index];
      if (error === null && mayRun === true) continue;
      if (!isArrayInterfaceError(error)) throw error ?? new Error(`expected a refusal of ${what}`);
      expect([what, error.code, error.path], error.message).toEqual([what, code, path]);
      if (says !== undefined) expect(error.reason).toMatch(says);
    }
    expect(await backend.toTypedArray(target)).toEqual(new Float32Array(LENGTH).fill(5));
    await backend.launch(axpy, all, { ...right, factor: 2 });
    expect(await backend.toTypedArray(target)).toEqual(new Float32Array(LENGTH).fill(7));
  }
}

function inTheGrid(): readonly Mistake[] {
  const one = (what: string, path: string, grid: object, code: ErrorCode = 'ERR_ARGUMENT') => {
    return { what, code, path, grid };
  };
  const tooMany =
    /^expected at most \d+ items in a group of 'axpy' on this device, got \d+; use a smaller group$/;
  return [
    one('no range', 'range', { range: undefined }),
    one('a range of four axes', 'range', { range: [1, 1, 1, 1] }),
    one('half an item', 'range[0]', { range: [1.5] }, 'ERR_TYPE'),
    one('a negative range', 'range[0]', { range: [-1] }),
    one('a range past 32 bits', 'range[1]', { range: [1, 2 ** 32] }),
    one('a group that is no list', 'group', { group: 64 }),
    one('a group of other axes', 'group', { group: [1, 1] }),
    one('a group of none', 'group[0]', { group: [0] }),
    one('a group past 32 bits', 'group[0]', { group: [2 ** 40] }),
    one('a queue of others', 'queue', { queue: new OtherQueue() }),
    one('an unknown option', 'local', { local: 64 }),
    {
      ...one('a group that is too large', 'group', { group: [TOO_MANY] }),
      ...{ mayRun: true, says: tooMany },
    },
    {
      ...one('a group that is too large on three axes', 'group', {
        ...{ range: [2, 3, LENGTH], group: [2048, 2048, 4096] },
      }),
      ...{ mayRun: true, says: tooMany },
    },
  ];
}

function inTheArguments(axpy: object): readonly Mistake[] {
  const kernel = changed(axpy, { room: { local: 'float32' } });
  const grid = { group: [64] };
  return [
    { what: 'a missing value', code: 'ERR_TYPE', path: 'n', values: { n: undefined } },
    { what: 'an unknown value', code: 'ERR_ARGUMENT', path: 'm', values: { m: 1 } },
    {
      ...{ what: 'local memory that no group shares', code: 'ERR_ARGUMENT', path: 'group' },
      ...{ kernel, values: { room: 64 } },
      says: /^expected a group for a kernel with local memory \('room'\), got none; pass one/,
    },
    {
      ...{ what: 'negative local memory', code: 'ERR_OVERFLOW', path: 'room' },
      ...{ kernel, grid, values: { room: -1 } },
    },
    {
      ...{ what: 'local memory past 32 bits', code: 'ERR_OVERFLOW', path: 'room' },
      ...{ kernel, grid, values: { room: 2 ** 31 } },
    },
  ];
}

/** Parameters that do not match the code's. */
function inTheTypes(axpy: { readonly parameters: object }, path: string): readonly Mistake[] {
  const one = (what: string, kernel: Kernel, got: string, values: object = {}): Mistake => {
    const says = new RegExp(
      `^expected a function ${got}; define the parameters as the code has them$`,
    );
    return { what, code: 'ERR_KERNEL', path, kernel, values, says };
  };
  const { n: _, ...fewer } = axpy.parameters as Record<string, unknown>;
  return [
    one(
      'a number that is wider than that of the code',
      changed(axpy, { factor: 'float64' }),
      'whose parameter 2 has 8 bytes, got one of 4 bytes',
    ),
    one(
      'a number that is narrower',
      changed(axpy, { n: 'int16' }),
      'whose parameter 3 has 2 bytes, got one of 4 bytes',
    ),
    one(
      'a number where the code has an array',
      changed(axpy, { source: 'uint32' }),
      'whose parameter 0 has 4 bytes, got (one of 8 bytes|a pointer to elements)',
      { source: 1 },
    ),
    one(
      'strides that the code does not take',
      changed(axpy, { source: { read: 'float32', strides: 1 } }),
      'whose parameter [12] has 8 bytes, got (one of 4 bytes|a pointer to elements)',
    ),
    one(
      'fewer parameters than the code has',
      defineKernel({ ...axpy, parameters: fewer } as never),
      'of 3 parameters, got one with more',
      { n: undefined },
    ),
    one(
      'more parameters than the code has',
      changed(axpy, { more: 'int32' }),
      'whose parameter 4 has 4 bytes, got fewer parameters',
      { more: 1 },
    ),
  ];
}

function changed(kernel: object, parameters: object): Kernel {
  const { parameters: own } = kernel as Kernel;
  return defineKernel({ ...kernel, parameters: { ...own, ...parameters } } as never);
}
