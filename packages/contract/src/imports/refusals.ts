import {
  type ArrayDescriptor,
  type ArrayLike,
  type BackendQueue,
  dtype,
  fromProducer,
} from '@array-interface/core';
import { replace } from '@array-interface/core/backend';
import { describe, expect, test } from 'vitest';
import { Block, type Layout } from '../support/block.js';
import { exported, readProducer } from '../support/exported.js';
import { keepsNothing } from '../support/keeps-nothing.js';
import { OtherQueue } from '../support/other-queue.js';
import { allRefused, refused } from '../support/refused.js';
import { type Subject, wildPointer } from '../support/subject.js';

/** Copies and loans that are refused before anything is accessed. */
export function refusals(subject: Subject): void {
  const { backend } = subject;
  const usesOf = (wrong: ArrayLike, other: ArrayLike) => [
    () => backend.asArray(wrong),
    () => backend.copy(wrong, other),
    () => backend.copy(other, wrong),
    () => backend.toTypedArray(wrong),
    () => backend.array(wrong),
    () => backend.fill(wrong, 1),
  ];

  describe('refusals', () => {
    keepsNothing(subject);

    test('copies that cannot be done', async () => {
      using source = await Block.make(backend, 24, 1);
      using target = await Block.make(backend, 24, 2);
      const [to, from] = [target.at(layout()), source.at(layout())];
      const cases = [
        ['ERR_READ_ONLY', replace(to, { readOnly: true }), from],
        ['ERR_SHAPE_MISMATCH', to, source.at(layout({ shape: [2, 2], byteStrides: [8, 4] }))],
        ['ERR_SHAPE_MISMATCH', target.at(layout({ shape: [], byteStrides: [] })), from],
        ['ERR_CASTING', to, source.at(layout({ dtype: dtype('|V4') }))],
        ['ERR_CASTING', target.at(layout({ dtype: dtype('int32') })), from],
        ['ERR_SELF_OVERLAP', target.at(layout({ byteStrides: [8, 0] })), from],
        ['ERR_SELF_OVERLAP', target.at(layout({ byteStrides: [8, 2] })), from],
        ['ERR_MASK', masked(to), from],
        ['ERR_MASK', to, masked(from)],
      ] as const;
      for (const [code, destination, origin] of cases) {
        await refused(() => backend.copy(destination, origin), code);
      }
      await refused(() => backend.copy(to, from, { casting: 'sideways' as never }), 'ERR_ARGUMENT');
      await allRefused(
        'ERR_TYPE',
        () => backend.fill(to, 'x' as never),
        () => backend.fill(to, [1] as never),
        () => backend.fill(target.at(layout({ dtype: dtype('int32') })), 0.5),
        () => backend.copy(to, null as never),
      );
      await refused(() => backend.copy({} as never, from), 'ERR_NO_INTERFACE');
      await target.verify();
      await source.verify();
    });

    test('an object that only pretends to be an array', async () => {
      using block = await Block.make(backend, 24, 5);
      const { array } = block;
      for (const pretended of [new Proxy(array, {}), Object.create(array)]) {
        await allRefused('ERR_NO_INTERFACE', ...usesOf(pretended, array));
      }
      await block.verify();
    });

    test('an address that belongs to no memory', async () => {
      using block = await Block.make(backend, 24, 3);
      const { producer } = exported(block.array);
      const wild = producer({ data: [wildPointer(subject), false] });
      const target = new Uint8Array(24).fill(9);
      await allRefused(
        ['ERR_POINTER_UNKNOWN', 'ERR_NOT_ACCESSIBLE'],
        ...usesOf(wild, block.array),
        ...usesOf(wild, target),
      );
      expect(target).toEqual(new Uint8Array(24).fill(9));
      await block.verify();
    });

    test('a layout that leaves its allocation', async () => {
      using block = await Block.make(backend, 4096, 4);
      const { pointer, producer } = exported(block.array);
      const outside = [
        producer({ shape: [2 ** 26], strides: null }),
        producer({ shape: [2, 8], strides: [2 ** 33, 1] }),
        producer({ shape: [3], strides: [-(2 ** 22)] }),
        producer({ data: [pointer + 4095n, false], shape: [2 ** 26] }),
      ];
      for (const one of outside) {
        await refused(() => backend.asArray(one), 'ERR_OUT_OF_BOUNDS');
        await refused(() => backend.fill(one, 1), 'ERR_OUT_OF_BOUNDS', 'ERR_SELF_OVERLAP');
      }
      const beyond = replace(readProducer(backend, producer()), {
        owner: block.array.memory,
        shape: [2 ** 26],
      });
      await refused(() => backend.fill(beyond, 1), 'ERR_OUT_OF_BOUNDS');
      const { message } = await refused(() => backend.asArray(beyond), 'ERR_OUT_OF_BOUNDS');
      expect(message).toMatch(/got bytes 0 to 67108864 (of it|from the pointer);/);
      const vast = producer({ shape: [2 ** 52], strides: [0] });
      await refused(() => backend.toTypedArray(vast), 'ERR_OUT_OF_MEMORY');
      await block.verify();
    });

    test('a queue that is disposed or of another backend, and what is not a queue', async () => {
      using block = await Block.make(backend, 24, 6);
      const queue = backend.createQueue();
      queue[Symbol.dispose]();
      using other = new OtherQueue();
      const callsWith = (options: { queue: BackendQueue }) => [
        () => backend.fill(block.array, 1, options),
        () => backend.copy(block.array, block.array.flip(), options),
        () => backend.toTypedArray(block.array, options),
        () => backend.empty([1], 'uint8', options),
      ];
      await allRefused('ERR_DISPOSED', ...callsWith({ queue }));
      await allRefused('ERR_ARGUMENT', ...callsWith({ queue: other }));
      await allRefused('ERR_ARGUMENT', ...callsWith({ queue: {} as never }));
      await block.verify();
    });

    test('an event of another backend, or not an event', async () => {
      using queue = backend.createQueue();
      using other = new OtherQueue();
      const waitFor = (event: unknown) => () => queue.wait(event as never);
      const { message } = await refused(waitFor(other.record()), 'ERR_ARGUMENT');
      expect(message).toMatch(/got another; await its synchronize\(\) first$/);
      const revoked = Proxy.revocable({}, {});
      revoked.revoke();
      for (const none of [null, undefined, {}, { synchronize: true }, revoked.proxy]) {
        const { message: advice } = await refused(waitFor(none), 'ERR_ARGUMENT');
        expect(advice).toMatch(/; a queue records one with record\(\)$/);
      }
      queue.wait(queue.record());
      await queue.synchronize();
    });
  });
}

function layout(changes: Partial<Layout> = {}): Layout {
  return { offset: 0, shape: [2, 3], byteStrides: [12, 4], dtype: dtype('float32'), ...changes };
}

function masked(array: ArrayDescriptor): ArrayDescriptor {
  return replace(array, { mask: fromProducer(Uint8Array.of(1, 0, 1)) });
}
