import type { BackendArray } from '@array-interface/core';
import { arrayCapsule, type BackendQueue, type MemoryKind } from '@array-interface/core/backend';
import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import { describe, expect, test } from 'vitest';
import { kernelsOf } from '../kernels/kernels-of.js';
import { exported } from '../support/exported.js';
import { aborted, refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';
import { type Axpy, coldPrograms } from './cold-programs.js';

const LENGTH = 500;
const GRID = { range: [LENGTH] };
const EACH = Int32Array.from({ length: LENGTH }, (_, i) => i);

/** Arrays and queues beside a launch whose kernel is not built yet: it reads one, writes another. */
interface Cold {
  readonly source: BackendArray & Disposable;
  readonly target: BackendArray & Disposable;
  /** An array that the launch does not access, filled with 20. */
  readonly other: BackendArray & Disposable;
  /** The launch's queue. */
  readonly first: BackendQueue;
  readonly second: BackendQueue;
  /** Launches a kernel: `to += 10 * from`. */
  launch(kernel: Axpy, from: BackendArray, to: BackendArray, queue?: BackendQueue): Promise<void>;
}

/** What is done while the kernel is built, and the elements that are then expected. */
type Later = readonly [
  what: string,
  /** Enqueues work. If it returns a promise, that is awaited before anything is read. */
  act: (cold: Cold) => unknown,
  /** The array that is then read. Without it, the elements are what `act` returns. */
  reads?: 'source' | 'target' | 'other',
  /** Each element, by what the launch wrote. Default: that value. */
  expected?: (written: number) => number,
];

/**
 * Work that is enqueued while a kernel is being built is ordered after the launch, and runs even if
 * the build fails.
 */
export function coldLaunches(subject: BackendSubject): void {
  const { backend, kernels } = subject;
  if (kernels === null) return;
  const { axpy } = kernelsOf(backend.name, kernels);
  const cold = () => defineKernel({ ...axpy });
  const full = (value: number, memoryKind?: MemoryKind) =>
    backend.array(new Float32Array(LENGTH).fill(value), memoryKind && { memoryKind });
  const read = async (array: BackendArray) => (await backend.toTypedArray(array)) as Float32Array;

  /** Enqueues a launch, `target += 3 * source`, and `later` work before its kernel is built. */
  async function whileBuilt<T>(
    kernel: Axpy,
    later: (cold: Cold) => Promise<T>,
    memoryKind?: MemoryKind,
  ): Promise<readonly [T, Promise<void>]> {
    using source = await full(2, memoryKind);
    using target = await full(1, memoryKind);
    using other = await full(20, memoryKind);
    using first = backend.createQueue();
    using second = backend.createQueue();
    const launch: Cold['launch'] = (another, from, to, queue) =>
      backend.launch(
        another,
        { ...GRID, ...(queue && { queue }) },
        { source: from, target: to, factor: 10, n: LENGTH },
      );
    const values = { source, target, factor: 3, n: LENGTH };
    const launched = backend.launch(kernel, { ...GRID, queue: first }, values);
    launched.catch(() => {});
    const result = await later({ source, target, other, first, second, launch });
    await Promise.allSettled([launched]);
    return [result, launched];
  }

  /** Does later work and reads the elements. */
  const elementsAfter =
    ([, act, reads]: Later) =>
    async (arrays: Cold) => {
      const acted = act(arrays);
      const result = acted instanceof Promise ? await acted : acted;
      return reads === undefined ? (result as ArrayLike<number>) : read(arrays[reads]);
    };
  const expectedOf = ([, , , of = (written) => written]: Later, written: number) =>
    Array(LENGTH).fill(of(written));

  const LATER: readonly Later[] = [
    ['toTypedArray', ({ target }) => read(target)],
    ['copy of what is written', ({ target, other }) => void backend.copy(other, target), 'other'],
    [
      'copy on another queue',
      ({ target, other, second: queue }) => void backend.copy(other, target, { queue }),
      'other',
    ],
    [
      'copy to JavaScript',
      async ({ target }) => {
        const elements = new Float32Array(LENGTH);
        await backend.copy(elements, target);
        return elements;
      },
    ],
    [
      'copy from JavaScript, which is read at once',
      ({ target }) => {
        const elements = new Float32Array(LENGTH).fill(7);
        void backend.copy(target, elements);
        elements.fill(8);
      },
      'target',
      () => 7,
    ],
    ['conversion', ({ target }) => backend.toTypedArray(target, { dtype: 'float64' })],
    [
      'copy within the array',
      ({ target }) =>
        void backend.copy(target.slice([[1, LENGTH]]), target.slice([[0, LENGTH - 1]])),
      'target',
    ],
    ['fill of what is written', ({ target }) => void backend.fill(target, 9), 'target', () => 9],
    ['fill of what is read', ({ source }) => void backend.fill(source, 50), 'target'],
    [
      'put into what is written',
      ({ target }) => void backend.put(target, EACH, 9),
      'target',
      () => 9,
    ],
    ['put into what is read', ({ source }) => void backend.put(source, EACH, 50), 'target'],
    [
      'put of what is written',
      ({ target, other }) => {
        void backend.put(other, EACH, target);
        void backend.fill(target, 0);
      },
      'other',
    ],
    [
      'take of what is written',
      async ({ target }) => {
        using taken = await backend.take(target, EACH);
        return await read(taken);
      },
    ],
    [
      'choice of what is written',
      async ({ target, other }) => {
        using chosen = await backend.where(new Uint8Array(LENGTH).fill(1), target, other);
        return await read(chosen);
      },
    ],
    [
      'roll of what is written',
      async ({ target }) => {
        using rolled = await backend.roll(target, 1);
        return await read(rolled);
      },
    ],
    [
      'array',
      async ({ target }) => {
        using copied = await backend.array(target);
        return await read(copied);
      },
    ],
    [
      'launch of another kernel',
      ({ source, target, launch }) => void launch(cold(), target, source),
      'source',
      (written) => 10 * written + 2,
    ],
    [
      'launch of a kernel that is built',
      ({ source, target, second, launch }) => void launch(axpy, target, source, second),
      'source',
      (written) => 10 * written + 2,
    ],
    [
      'use',
      async ({ target, other, second }) => {
        const used = backend.use(second, { reads: [target], writes: [other] }, (queue) => {
          void backend.copy(other, target, { queue });
          return 'used';
        });
        void backend.fill(target, 0);
        const elements = await read(other);
        expect(await used).toBe('used');
        return elements;
      },
    ],
    [
      'use that launches a kernel for the first time',
      ({ target, other, second, launch }) => {
        void backend.use(second, { reads: [target], writes: [other] }, (queue) =>
          launch(cold(), target, other, queue),
        );
        void backend.fill(target, 0);
      },
      'other',
      (written) => 10 * written + 20,
    ],
    [
      'use that throws',
      async ({ target, second }) => {
        const used = backend.use(second, { writes: [target] }, () => {
          throw new Error('on purpose');
        });
        await expect(used).rejects.toThrow('on purpose');
      },
      'target',
    ],
    [
      'a loan',
      async ({ target, other }) => {
        using loan = backend.asArray(target);
        void backend.copy(other, loan);
        return await read(other);
      },
    ],
    [
      'dispose',
      async ({ target, other }) => {
        void backend.copy(other, target);
        target[Symbol.dispose]();
        await refused(() => backend.fill(target, 1), 'ERR_DISPOSED');
        using next = backend.empty([LENGTH], 'float32');
        void backend.fill(next, 100);
        return await read(other);
      },
    ],
    [
      'an interface dict after synchronize',
      async ({ target, other }) => {
        await target.synchronize();
        using borrowed = backend.asArray(exported(target).producer());
        await backend.copy(other, borrowed);
      },
      'other',
    ],
    [
      'a capsule after synchronize of the backend',
      async ({ target, other }) => {
        await backend.synchronize();
        await backend.copy(other, target[arrayCapsule]());
      },
      'other',
    ],
    [
      'a capsule after whenKernelsReady',
      async ({ target, other }) => {
        await backend.whenKernelsReady();
        await backend.copy(other, target[arrayCapsule]());
      },
      'other',
    ],
    [
      'an event after synchronize of the queue',
      async ({ first, second }) => {
        await first.synchronize();
        expect(first.query()).toBe(true);
        second.wait(first.record());
      },
      'target',
    ],
    [
      'work of the queue on other arrays',
      async ({ other, first: queue }) => {
        void backend.fill(other, 5, { queue });
        await queue.synchronize();
      },
      'other',
      () => 5,
    ],
  ];

  const broken = brokenKernel(backend.name, axpy, subject.failing);

  describe('while a kernel is built', () => {
    test.for(LATER)('%s runs after the launch', async (later) => {
      const [elements, launched] = await whileBuilt(cold(), elementsAfter(later));
      await launched;
      expect(Array.from(elements)).toEqual(expectedOf(later, 7));
    });

    test.skipIf(broken === null).for(LATER)('%s runs if the build fails', async (later) => {
      const [elements, launched] = await whileBuilt(broken as Axpy, elementsAfter(later));
      await expect(launched).rejects.toThrow();
      expect(Array.from(elements)).toEqual(expectedOf(later, 1));
    });

    test.each(subject.inPlace)('%s memory is accessed in place after the launch', async (kind) => {
      const seeing = async ({ target }: Cold) => [...(await target.asTypedArray())];
      const [elements, launched] = await whileBuilt(cold(), seeing, kind);
      await launched;
      expect(elements).toEqual(Array(LENGTH).fill(7));
    });

    test('errors in arguments are reported at once, and later work reports only its own', async () => {
      const [, launched] = await whileBuilt(cold(), async ({ source, target }) => {
        await refused(() => backend.copy(target, source.slice([[0, 3]])), 'ERR_SHAPE_MISMATCH');
        const dtype = 'none' as never;
        await refused(() => backend.toTypedArray(target, { dtype }), 'ERR_TYPESTR');
      });
      await launched;
    });

    test('a launch and a copy can be aborted, and later work goes on', async () => {
      const [elements] = await whileBuilt(cold(), async ({ source, target, other }) => {
        const controller = new AbortController();
        const { signal } = controller;
        const values = { source, target, factor: 100, n: LENGTH };
        const launched = backend.launch(cold(), { ...GRID, signal }, values);
        const copied = backend.copy(other, source, { signal });
        const then = backend.copy(source, target);
        controller.abort();
        for (const work of [launched, copied]) {
          const [end] = await Promise.allSettled([work]);
          if (end.status === 'rejected') await aborted(() => work);
        }
        await then;
        return [await read(target), await read(other)] as const;
      });
      // A synchronous backend had nothing to cancel.
      expect([7, 207]).toContain(elements[0][0]);
      expect([20, 2]).toContain(elements[1][0]);
    });
  });

  coldPrograms(backend, axpy, broken);
}

/** A kernel whose build or code fails. Null if there is none for this backend. */
function brokenKernel<K extends Kernel>(
  name: string,
  kernel: K,
  failing: object | undefined,
): K | null {
  if (failing !== undefined) {
    return defineKernel({ ...kernel, code: { [name]: failing } }) as unknown as K;
  }
  const code = (kernel.code as Readonly<Record<string, object>>)[name];
  if (name === 'cuda' || name === 'sycl') {
    const nothing = { ...code, function: 'no_function_of_this_name' };
    return defineKernel({ ...kernel, code: { [name]: nothing } as never }) as unknown as K;
  }
  if (name !== 'host') return null;
  const throws = () => {
    throw new Error('on purpose');
  };
  return defineKernel({ ...kernel, code: { host: { javascript: throws } } }) as unknown as K;
}
