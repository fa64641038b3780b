import { SyclContext, SyclQueue, sycl } from '@array-interface/sycl';
import { describe, expect, test } from 'vitest';
import { dpctl, OtherQueue } from '../support/other-library.js';
import { runProgram } from '../support/program.js';
import { refused } from '../support/refused.js';

const SIZE = 64;

/** Bytes of another library, with anything as their `syclobj`. */
function bytesAt(pointer: bigint, syclobj: unknown, size = SIZE) {
  const dict = { shape: [size], typestr: '|u1', data: [pointer, false], version: 1, syclobj };
  return { __sycl_usm_array_interface__: dict };
}

const queueCapsule = ({ queue }: OtherQueue) => ({ name: 'SyclQueueRef', pointer: queue });
const contextCapsule = ({ context }: OtherQueue) => ({ name: 'SyclContextRef', pointer: context });
const FORMS: readonly (readonly [string, (other: OtherQueue) => unknown])[] = [
  ['a queue’s capsule', queueCapsule],
  ['an object that gives one', (other) => ({ _get_capsule: () => queueCapsule(other) })],
  ['a context’s capsule', contextCapsule],
  ['a context object', (other) => ({ _get_capsule: () => contextCapsule(other) })],
];

describe.each([
  ['the default context', false],
  ['a context of its own', true],
])('another library’s memory in %s', (_, inOwnContext) => {
  test.each(FORMS)('is borrowed with %s, read and written in place', async (_, form) => {
    using other = new OtherQueue(inOwnContext);
    const pointer = other.allocate(SIZE, 5);
    using borrowed = sycl.asArray(bytesAt(pointer, form(other)));
    expect(borrowed.pointer).toBe(pointer);
    expect(borrowed.memory.context.isDefault).toBe(!inOwnContext);
    expect([...(await sycl.toTypedArray(borrowed))]).toEqual(Array(SIZE).fill(5));
    const view = borrowed.slice([[0, null, 2]]);
    await sycl.fill(view, 9);
    const got = [...(await sycl.toTypedArray(borrowed))];
    expect(got).toEqual(Array.from({ length: SIZE }, (_, i) => (i % 2 === 0 ? 9 : 5)));
  });

  test('stays in order with its queue, which may end before our copy of it', async () => {
    const size = 2 ** 24;
    const other = new OtherQueue(inOwnContext);
    const source = other.allocate(size, 7);
    const target = other.allocate(size, 1);
    for (let i = 0; i < 4; i++) other.copy(target, source, size);
    using borrowed = sycl.asArray(bytesAt(target, queueCapsule(other), size));
    const end = borrowed.slice([[size - 4, null]]);
    expect([...(await sycl.toTypedArray(end))]).toEqual([7, 7, 7, 7]);
    await sycl.fill(borrowed, 3);
    other.copy(source, target, size);
    other[Symbol.dispose]();
  });

  test('is copied to our memory and from it', async () => {
    using other = new OtherQueue(inOwnContext);
    using borrowed = sycl.asArray(bytesAt(other.allocate(SIZE, 5), queueCapsule(other)));
    using own = sycl.empty([SIZE], 'uint8');
    const turned = own.flip();
    await sycl.copy(own, borrowed);
    await sycl.fill(borrowed, 1);
    using queue = sycl.createQueue();
    await sycl.copy(borrowed, turned, { queue });
    expect([...(await sycl.toTypedArray(borrowed))]).toEqual(Array(SIZE).fill(5));
  });

  test('is re-exported with a queue of its context', async () => {
    using other = new OtherQueue(inOwnContext);
    const pointer = other.allocate(SIZE);
    using borrowed = sycl.asArray(bytesAt(pointer, contextCapsule(other)));
    const { syclobj, data } = borrowed.__sycl_usm_array_interface__;
    expect(syclobj).toBeInstanceOf(SyclQueue);
    using again = sycl.asArray(bytesAt(data[0], syclobj));
    expect(again.memory.context.isSame(borrowed.memory.context)).toBe(true);
  });

  test('real memory without elements is re-exported unchanged', () => {
    using other = new OtherQueue(inOwnContext);
    const pointer = other.allocate(SIZE);
    using borrowed = sycl.asArray(bytesAt(pointer, queueCapsule(other), 0));
    expect(borrowed.__sycl_usm_array_interface__.data[0]).toBe(pointer);
  });

  test('without elements gets real memory there', async () => {
    using other = new OtherQueue(inOwnContext);
    for (const form of [queueCapsule, contextCapsule]) {
      using borrowed = sycl.asArray(bytesAt(0n, form(other), 0));
      const { pointer } = borrowed.memory;
      expect(dpctl('USM_GetPointerType', pointer, other.context)).not.toBe(0n);
      const { syclobj } = borrowed.__sycl_usm_array_interface__;
      using queue = sycl.asQueue(syclobj);
      expect(queue.context.isDefault).toBe(!inOwnContext);
    }
  });
});

describe('references that lead nowhere', () => {
  test.each([0n, 1n, 0x1000n, 8n * 12345678901n, 2n ** 47n, 2n ** 63n, 2n ** 64n - 8n])(
    '%s',
    async (pointer) => {
      using array = sycl.empty([SIZE], 'uint8');
      for (const name of ['SyclQueueRef', 'SyclContextRef']) {
        const producer = bytesAt(array.pointer, { name, pointer });
        const error = await refused('ERR_SYCLOBJ', () => sycl.asArray(producer));
        expect(error.path).toBe('syclobj');
        await refused('ERR_SYCLOBJ', () => sycl.asQueue({ name, pointer }));
      }
    },
  );

  test('memory that contains anything but such an object', async () => {
    using array = await sycl.array(new BigUint64Array(8).fill(1n), { memoryKind: 'host' });
    await array.synchronize();
    const { pointer } = array;
    await sycl.copy(array, new BigUint64Array(8).fill(pointer));
    await array.synchronize();
    await refused('ERR_SYCLOBJ', () => sycl.asQueue({ name: 'SyclQueueRef', pointer }));
  });

  // Under a sanitizer the program ends when it cannot open a file.
  const plain = test.skipIf(process.env.ASAN_OPTIONS !== undefined);
  plain('are not told from others without a file descriptor, which is said', async () => {
    const program = `
      import { closeSync, openSync } from 'node:fs';
      const asked = () => {
        try {
          sycl.asQueue({ name: 'SyclQueueRef', pointer: 0x1000n });
        } catch ({ code, message }) {
          return code + (message.includes('Too many open files') ? ' files' : ' reference');
        }
      };
      const first = asked();
      const files = [];
      try {
        while (true) files.push(openSync('/dev/null'));
      } catch {}
      const second = asked();
      files.forEach((file) => closeSync(file));
      console.log([first, second, asked()].join());`;
    const { stdout } = await runProgram(program, { openFiles: 256 });
    expect(stdout).toBe('ERR_SYCLOBJ reference,ERR_SYCLOBJ files,ERR_SYCLOBJ reference');
  });

  test('a queue that is called a context, and vice versa', async () => {
    using other = new OtherQueue(false);
    const wrong = [
      { name: 'SyclQueueRef', pointer: other.context },
      { name: 'SyclContextRef', pointer: other.queue },
    ];
    for (const capsule of wrong) await refused('ERR_SYCLOBJ', () => sycl.asQueue(capsule));
  });

  test('our queue that has ended', async () => {
    using array = sycl.empty([SIZE], 'uint8');
    const queue = sycl.createQueue();
    const { name, pointer } = queue._get_capsule();
    queue[Symbol.dispose]();
    for (let i = 0; i < 20; i++) {
      const producer = bytesAt(array.pointer, { name, pointer });
      await refused('ERR_SYCLOBJ', () => sycl.asArray(producer));
      await sycl.synchronize();
    }
  });

  test('a capsule can be used once, whether or not its pointer is right', async () => {
    using other = new OtherQueue(false);
    const pointer = other.allocate(SIZE);
    const good = queueCapsule(other);
    sycl.asArray(bytesAt(pointer, good))[Symbol.dispose]();
    expect(good.name).toBe('used_SyclQueueRef');
    await refused('ERR_SYCLOBJ', () => sycl.asArray(bytesAt(pointer, good)));
    const bad = contextCapsule(other);
    await refused('ERR_POINTER_UNKNOWN', () => sycl.asArray(bytesAt(0x1000n, bad)));
    expect(bad.name).toBe('used_SyclContextRef');
    await refused('ERR_SYCLOBJ', () => sycl.asArray(bytesAt(pointer, bad)));
  });
});

/** Calls that take a capsule, and what each says of a used one. */
const TAKERS: readonly (readonly [
  string,
  (capsule: unknown, at: bigint) => Disposable,
  (name: string) => string,
])[] = [
  [
    'asQueue',
    (capsule) => sycl.asQueue(capsule as never),
    (name) => `expected an unused capsule, got ${name}; get another from its producer`,
  ],
  [
    'asArray',
    (capsule, at) => sycl.asArray(bytesAt(at, capsule)),
    (name) => `got "${name}"; a used capsule cannot be used again`,
  ],
];

const capsulesOf = ({ queue, context }: OtherQueue) => [
  { name: 'SyclQueueRef', pointer: queue },
  { name: 'SyclContextRef', pointer: context },
  { name: 'used_SyclQueueRef', pointer: queue },
  { name: 'used_', pointer: 1n },
  { name: 'used_used_SyclContextRef', pointer: context },
];

test.each(TAKERS)('%s marks a capsule once, and leaves a used one as it is', async (...row) => {
  const [, take, says] = row;
  using other = new OtherQueue(false);
  const memory = other.allocate(SIZE);
  for (const capsule of capsulesOf(other)) {
    const { name, pointer } = capsule;
    const isUsed = name.startsWith('used_');
    if (!isUsed) take(capsule, memory)[Symbol.dispose]();
    const expected = { name: isUsed ? name : `used_${name}`, pointer };
    for (const given of [capsule, { _get_capsule: () => capsule }]) {
      expect(capsule).toEqual(expected);
      const error = await refused('ERR_SYCLOBJ', () => take(given, memory));
      expect(error.message).toContain(says(expected.name));
    }
    expect(capsule).toEqual(expected);
  }
});

describe('a pointer of another context', () => {
  test('is unknown, in every form', async () => {
    using other = new OtherQueue(true);
    const theirs = other.allocate(SIZE);
    using ours = sycl.empty([SIZE], 'uint8');
    for (const [, form] of FORMS) {
      const producer = bytesAt(ours.pointer, form(other));
      await refused('ERR_POINTER_UNKNOWN', () => sycl.asArray(producer));
    }
    for (const syclobj of ['cpu', sycl.createQueue(), sycl.context()]) {
      await refused('ERR_POINTER_UNKNOWN', () => sycl.asArray(bytesAt(theirs, syclobj)));
    }
  });
});

describe('contexts', () => {
  test('the default one is dpctl’s', () => {
    using other = new OtherQueue(false);
    using queue = sycl.asQueue(contextCapsule(other));
    expect(queue.context.isSame(sycl.context())).toBe(true);
    using own = sycl.createQueue();
    expect(own.context.isDefault).toBe(true);
    using apart = new OtherQueue(true);
    using theirs = sycl.asQueue(queueCapsule(apart));
    expect(theirs.context.isDefault).toBe(false);
    expect(theirs.context.isSame(sycl.context())).toBe(false);
  });

  test('a queue keeps the order that its creator gave it, and is the same queue', () => {
    using other = new OtherQueue(false);
    using queue = sycl.asQueue(queueCapsule(other));
    using again = sycl.asQueue(queueCapsule(other));
    expect(queue.inOrder).toBe(false);
    expect(queue.isSame(again)).toBe(true);
    expect(sycl.asQueue(queue)).toBe(queue);
  });

  test('memory and queues are created in a named context', async () => {
    using other = new OtherQueue(true);
    using queue = sycl.asQueue(queueCapsule(other));
    const { context } = queue;
    using array = sycl.empty([SIZE], 'uint8', { context });
    expect(dpctl('USM_GetPointerType', array.pointer, other.context)).not.toBe(0n);
    await sycl.fill(array, 6);
    expect([...(await sycl.toTypedArray(array))]).toEqual(Array(SIZE).fill(6));
    using elsewhere = sycl.createQueue();
    await refused('ERR_ARGUMENT', () => sycl.empty([1], 'uint8', { context, queue: elsewhere }));
    await refused('ERR_ARGUMENT', () => sycl.createQueue({ context, device: 1 }));
    await refused('ERR_ARGUMENT', () => sycl.createQueue({ context: {} as SyclContext }));
  });

  test('a copy between two refuses another backend’s queue', async () => {
    const [context] = sycl.divide(0, 1);
    using array = sycl.empty([SIZE], 'uint8', { context: context as SyclContext });
    using other = sycl.empty([SIZE], 'uint8');
    const queue = { disposed: false, device: 0, assertLive: () => {} } as never;
    await refused('ERR_ARGUMENT', () => sycl.copy(array, other, { queue }));
  });

  test('a part of a device has its own context', async () => {
    const parts = sycl.divide(0, 1);
    expect(parts.length).toBe(sycl.devices()[0]?.computeUnits);
    for (const context of parts) {
      expect(context).toBeInstanceOf(SyclContext);
      expect([context.device, context.isDefault]).toEqual([0, false]);
      using array = await sycl.array([1, 2, 3], { context });
      const turned = array.flip();
      using copied = await sycl.array(turned);
      expect([...(await sycl.toTypedArray(copied))]).toEqual([3, 2, 1]);
      expect(sycl.inspectPointer(array.pointer).context?.isSame(context)).toBe(true);
    }
    await refused('ERR_ARGUMENT', () => sycl.divide(0, 0));
    await refused('ERR_ARGUMENT', () => sycl.divide(0, 2 ** 20));
  });
});
