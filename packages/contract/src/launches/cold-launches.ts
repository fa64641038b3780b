import type { BackendArray } from '@array-interface/core';
import { arrayCapsule, type BackendQueue } from '@array-interface/core/backend';
import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import { describe, expect, test } from 'vitest';
import { kernelsOf } from '../kernels/kernels-of.js';
import { exported } from '../support/exported.js';
import { aborted, refused } from '../support/refused.js';
import type { BackendSubject } from '../support/subject.js';
import { coldPrograms } from './cold-programs.js';

const LENGTH = 500;
const GRID = { range: [LENGTH] };

/** Two arrays. A launch whose kernel is not built yet reads one and writes the other. */
interface Cold {
  readonly source: BackendArray & Disposable;
  readonly target: BackendArray & Disposable;
  /** An array that the launch does not access, filled with 20. */
  readonly other: BackendArray & Disposable;
  /** The launch's queue, and another. */
  readonly queues: readonly [BackendQueue, BackendQueue];
  /** Launches another kernel, for the first time: `to += factor * from`. */
  launch(from: BackendArray, to: BackendArray, factor: number, queue?: BackendQueue): Promise<void>;
}

/**
 * Work that is enqueued while a kernel is being built is ordered after the launch, and runs even if
 * the build fails.
 */
export function coldLaunches(subject: BackendSubject): void {
  const { backend, kernels } = subject;
  if (kernels === null) return;
  const { axpy } = kernelsOf(backend.name, kernels);
  const cold = () => defineKernel({ ...axpy });
  const full = (value: number, memoryKind?: 'host' | 'shared' | 'pageable' | 'device') =>
    backend.array(new Float32Array(LENGTH).fill(value), memoryKind && { memoryKind });
  const read = async (array: BackendArray) => (await backend.toTypedArray(array)) as Float32Array;

  /** Enqueues a launch, `target += 3 * source`, and `later` work before its kernel is built. */
  async function whileBuilt<T>(
    kernel: Kernel<typeof axpy.parameters>,
    later: (arrays: Cold) => Promise<T>,
    memoryKind?: 'host' | 'shared' | 'pageable',
  ): Promise<readonly [T, Promise<void>]> {
    using source = await full(2, memoryKind);
    using target = await full(1, memoryKind);
    using other = await full(20, memoryKind);
    using first = backend.createQueue();
    using second = backend.createQueue();
    const launch: Cold['launch'] = (from, to, factor, queue) =>
      backend.launch(
        cold(),
        { ...GRID, ...(queue && { queue }) },
        { source: from, target: to, factor, n: LENGTH },
      );
    const values = { source, target, factor: 3, n: LENGTH };
    const launched = backend.launch(kernel, { ...GRID, queue: first }, values);
    launched.catch(() => {});
    const result = await later({ source, target, other, queues: [first, second], launch });
    await Promise.allSettled([launched]);
    return [result, launched];
  }

  const LATER: readonly (readonly [
    what: string,
    expected: (written: number) => number,
    later: (arrays: Cold) => Promise<ArrayLike<number | bigint>>,
  ])[] = [
    ['toTypedArray', (written) => written, ({ target }) => read(target)],
    [
      'copy of what is written',
      (written) => written,
      async ({ target, other }) => {
        void backend.copy(other, target);
        return await read(other);
      },
    ],
    [
      'copy on another queue',
      (written) => written,
      async ({ target, other, queues: [, second] }) => {
        void backend.copy(other, target, { queue: second });
        return await read(other);
      },
    ],
    [
      'copy to JavaScript',
      (written) => written,
      async ({ target }) => {
        const elements = new Float32Array(LENGTH);
        await backend.copy(elements, target);
        return elements;
      },
    ],
    [
      'copy from JavaScript, which is read at once',
      () => 7,
      async ({ target }) => {
        const elements = new Float32Array(LENGTH).fill(7);
        void backend.copy(target, elements);
        elements.fill(8);
        return await read(target);
      },
    ],
    [
      'conversion',
      (written) => written,
      ({ target }) => backend.toTypedArray(target, { dtype: 'float64' }),
    ],
    [
      'copy within the array',
      (written) => written,
      async ({ target }) => {
        void backend.copy(target.slice([[1, LENGTH]]), target.slice([[0, LENGTH - 1]]));
        return await read(target);
      },
    ],
    [
      'fill of what is written',
      () => 9,
      async ({ target }) => {
        void backend.fill(target, 9);
        return await read(target);
      },
    ],
    [
      'fill of what is read',
      (written) => written,
      async ({ source, target }) => {
        void backend.fill(source, 50);
        return await read(target);
      },
    ],
    [
      'array',
      (written) => written,
      async ({ target }) => {
        using copied = await backend.array(target);
        return await read(copied);
      },
    ],
    [
      'launch of another kernel',
      (written) => 10 * written + 2,
      async ({ source, target, launch }) => {
        void launch(target, source, 10);
        return await read(source);
      },
    ],
    [
      'launch of a kernel that is built',
      (written) => 10 * written + 2,
      async ({ source, target, queues: [, queue] }) => {
        const values = { source: target, target: source, factor: 10, n: LENGTH };
        void backend.launch(axpy, { ...GRID, queue }, values);
        return await read(source);
      },
    ],
    [
      'use',
      (written) => written,
      async ({ target, other, queues: [, second] }) => {
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
      (written) => 10 * written + 20,
      async ({ target, other, queues: [, second], launch }) => {
        void backend.use(second, { reads: [target], writes: [other] }, async (queue) => {
          await launch(target, other, 10, queue);
        });
        void backend.fill(target, 0);
        return await read(other);
      },
    ],
    [
      'use that throws',
      (written) => written,
      async ({ target, queues: [, second] }) => {
        const used = backend.use(second, { writes: [target] }, () => {
          throw new Error('on purpose');
        });
        await expect(used).rejects.toThrow('on purpose');
        return await read(target);
      },
    ],
    [
      'a loan',
      (written) => written,
      async ({ target, other }) => {
        using loan = backend.asArray(target);
        void backend.copy(other, loan);
        return await read(other);
      },
    ],
    [
      'dispose',
      (written) => written,
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
      'synchronize, and what an interface dict then says',
      (written) => written,
      async ({ target, other }) => {
        await target.synchronize();
        using borrowed = backend.asArray(exported(target).producer());
        await backend.copy(other, borrowed);
        return await read(other);
      },
    ],
    [
      'synchronize of the backend, and a capsule',
      (written) => written,
      async ({ target, other }) => {
        await backend.synchronize();
        await backend.copy(other, target[arrayCapsule]());
        return await read(other);
      },
    ],
    [
      'whenKernelsReady, and a capsule',
      (written) => written,
      async ({ target, other }) => {
        await backend.whenKernelsReady();
        await backend.copy(other, target[arrayCapsule]());
        return await read(other);
      },
    ],
    [
      'synchronize of the queue, and its events',
      (written) => written,
      async ({ target, queues: [first, second] }) => {
        await first.synchronize();
        expect(first.query()).toBe(true);
        second.wait(first.record());
        return await read(target);
      },
    ],
    [
      'work of the queue on other arrays',
      () => 5,
      async ({ other, queues: [first] }) => {
        void backend.fill(other, 5, { queue: first });
        await first.synchronize();
        return await read(other);
      },
    ],
  ];

  const broken = brokenKernel(backend.name, axpy);

  describe('while a kernel is built', () => {
    test.each(LATER)('%s comes after the launch', async (_, expected, later) => {
      const [elements, launched] = await whileBuilt(cold(), later);
      await launched;
      expect(Array.from(elements)).toEqual(Array(LENGTH).fill(expected(7)));
    });

    test.skipIf(broken === null).each(LATER)(
      '%s runs where the build fails',
      async (_, expected, later) => {
        const [elements, launched] = await whileBuilt(broken as NonNullable<typeof broken>, later);
        await expect(launched).rejects.toThrow();
        expect(Array.from(elements)).toEqual(Array(LENGTH).fill(expected(1)));
      },
    );

    test.each(subject.inPlace)('%s memory is seen in place after the launch', async (kind) => {
      const seeing = async ({ target }: Cold) => [...(await target.asTypedArray())];
      const [elements, launched] = await whileBuilt(cold(), seeing, kind as 'host');
      await launched;
      expect(elements).toEqual(Array(LENGTH).fill(7));
    });

    test('errors of arguments are told at once, and errors of later work are its own', async () => {
      const [, launched] = await whileBuilt(cold(), async ({ source, target }) => {
        await refused(() => backend.copy(target, source.slice([[0, 3]])), 'ERR_SHAPE_MISMATCH');
        await refused(
          () => backend.toTypedArray(target, { dtype: 'none' as never }),
          'ERR_TYPESTR',
        );
      });
      await launched;
    });

    test('a launch and a copy can be given up, and what comes after them goes on', async () => {
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

/** A kernel whose build or code fails. Null if the suite has none for this backend. */
function brokenKernel<K extends Kernel>(name: string, kernel: K): K | null {
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
