import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isArrayInterfaceError } from '@array-interface/core';
import {
  arrayCapsule,
  type CapsuleContents,
  capsuleContents,
  describeCapsule,
  internals,
} from '@array-interface/core/backend';
import { defineKernel } from '@array-interface/core/kernel';
import {
  addonOfOneWorker,
  addonsOfFunctions,
  capsulesOfWorkers,
  foreignAddons,
  livesWhileHeld,
} from '@array-interface/foreign';
import { host, liveAllocations } from '@array-interface/host';
import { leavesNothing } from '@array-interface/lifetimes';
import { describe, expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { borrow } from '../../src/memory/borrow.js';
import { refused } from '../support/refused.js';

/** The folder of all tests. */
const tests = join(import.meta.dirname, '..');
const { giver, taker } = foreignAddons(join(tests, '..'));

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Collects until something is so. */
async function collected(isSo: () => void): Promise<void> {
  await vi.waitFor(
    async () => {
      collect();
      await pause(1);
      isSo();
    },
    { timeout: 60_000, interval: 10 },
  );
}

const NOTHING = { released: 0, deleted: 0, elsewhere: 0, consumed: [] };
const ONE = { ...NOTHING, released: 1, deleted: 1 };
const three = { shape: [3], strides: [1], floats: 3 };

leavesNothing(
  () => taker.letGo(),
  async () => {
    await collected(() => expect(liveAllocations()).toBe(0));
    expect(giver.look()).toEqual(NOTHING);
  },
);

describe('a capsule of an array', () => {
  test('has its layout, its dtype and nothing pending', async () => {
    using array = await host.array(
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
      { dtype: 'float32' },
    );
    const found = taker.take(array.transpose().slice([[null, null, -1]]));
    expect(found).toMatchObject({
      version: 1.3,
      flags: 0,
      data: array.pointer + 8n,
      shape: [3, 2],
      strides: [-1, 3],
      dtype: [2, 32, 1],
      device: [1, 0],
      kind: 0,
      order: 0n,
      context: 0n,
      hears: false,
      typestr: null,
    });
    taker.release(found.id, 'here');
  });

  test('says that it is read-only, and names dtypes without a DLPack code', async () => {
    using array = host.empty([2, 3], '>f4');
    const found = taker.take(array.slice([0]).broadcastTo([4, 3]));
    expect(found).toMatchObject({
      flags: 1,
      shape: [4, 3],
      strides: [0, 1],
      dtype: [3, 8, 4],
      typestr: '>f4',
    });
    taker.release(found.id, 'here');
    using brain = host.empty([2], 'bfloat16');
    const other = taker.take(brain);
    expect(other).toMatchObject({ dtype: [4, 16, 1], typestr: null });
    taker.release(other.id, 'here');
  });

  test('without elements has no address', () => {
    using array = host.empty([0, 3], 'float32');
    const found = taker.take(array);
    expect(found).toMatchObject({ data: 0n, shape: [0, 3], strides: [3, 1] });
    taker.release(found.id, 'here');
  });

  test.each(['here', 'another'] as const)(
    'keeps the memory after its array, until it is released %s',
    async (how) => {
      const array = await host.array([1, 2, 3], { dtype: 'float32' });
      const found = taker.take(array);
      array[Symbol.dispose]();
      expect(liveAllocations()).toBe(1);
      expect(taker.sum(found.id)).toBe(6);
      taker.release(found.id, how);
      expect(liveAllocations()).toBe(0);
    },
  );

  test('keeps it as long as the tensor taken from it', async () => {
    const array = await host.array([1, 2, 3], { dtype: 'float32' });
    const { id } = taker.take(array);
    array[Symbol.dispose]();
    taker.keepTensor(id);
    taker.release(id, 'here');
    expect(liveAllocations()).toBe(1);
    taker.release(id, 'another');
    expect(liveAllocations()).toBe(0);
  });

  test('keeps the producer of its memory until its consumer releases it', async () => {
    const lives = await livesWhileHeld(() => {
      const { pointer, owner } = giver.memory(4096);
      const dict = { version: 3, shape: [4096], typestr: '|u1', data: [pointer, false] as const };
      const object = { __array_interface__: dict, owner };
      using array = host.asArray(object);
      const { id } = taker.take(array);
      return { object, end: () => taker.release(id, 'another') };
    });
    expect(lives).toEqual([true, false]);
  });

  test('is collected with its memory if nobody uses it', async () => {
    (await host.array([1], { dtype: 'float32' }))[arrayCapsule]();
    await collected(() => expect(liveAllocations()).toBe(0));
  });

  test('can be used once', async () => {
    using array = host.empty([1], 'float32');
    const capsule = array[arrayCapsule]();
    expect(taker.isCapsule(capsule)).toBe(true);
    taker.release(taker.take(capsule).id, 'here');
    expect(() => taker.take(capsule)).toThrow('got a used one');
    await refused(() => host.asArray(capsule), 'ERR_DISPOSED');
    expect(() => taker.take({})).toThrow('expected an array or a capsule');
    expect(() => taker.take(giver.external())).toThrow('expected an array or a capsule');
    const thrown = new RangeError('mine');
    const throwing = () => {
      throw thrown;
    };
    expect(() => taker.take({ [arrayCapsule]: throwing })).toThrow(thrown);
  });

  test('is refused for JavaScript memory, disposed arrays, and elements without bytes', async () => {
    const view = host.asArray(Float32Array.of(1));
    await refused(() => view[arrayCapsule](), 'ERR_NOT_ACCESSIBLE');
    view[Symbol.dispose]();
    await refused(() => view[arrayCapsule](), 'ERR_DISPOSED');
    using records = host.empty(
      [3],
      [
        ['a', '<i4'],
        ['b', '<f8'],
      ],
    );
    await refused(() => records.field('b')[arrayCapsule](), 'ERR_STRIDE_UNIT');
    using large = host.empty([1], 'V65536');
    await refused(() => large[arrayCapsule](), 'ERR_DTYPE_UNSUPPORTED');
  });
});

describe('an array from a capsule', () => {
  test('is borrowed in place, and released once, when it is disposed', async () => {
    const array = host.asArray(giver.give(three));
    expect(await host.toTypedArray(array)).toEqual(Float32Array.of(0, 1, 2));
    collect();
    expect(giver.look()).toEqual(NOTHING);
    array[Symbol.dispose]();
    expect(giver.look()).toEqual(ONE);
  });

  test('comes from objects that return one, and is read wherever an array is', async () => {
    const producer = { [arrayCapsule]: () => giver.give(three) };
    expect(await host.toTypedArray(producer)).toEqual(Float32Array.of(0, 1, 2));
    using copy = await host.array(giver.give({ ...three, strides: [-1], byteOffset: 8 }));
    expect(await host.toTypedArray(copy)).toEqual(Float32Array.of(2, 1, 0));
    const into = host.asArray(producer);
    await host.copy(into, producer);
    await host.fill(into, 4);
    expect(await host.toTypedArray(into)).toEqual(Float32Array.of(4, 4, 4));
    into[Symbol.dispose]();
    await collected(() => expect(liveAllocations()).toBe(1));
    expect(giver.look()).toMatchObject({ released: 4, deleted: 4 });
  });

  test('has the dtype of DLPack’s code or the typestr, and the read-only flag', async () => {
    const big = { ...three, code: 3, bits: 8, lanes: 4, typestr: '>f4', readOnly: true };
    using array = host.asArray(giver.give({ ...big, strides: undefined as never }));
    expect(array).toMatchObject({ readOnly: true, byteStrides: [4] });
    expect(array.dtype.typestr).toBe('>f4');
    await refused(() => host.fill(array, 1), 'ERR_READ_ONLY');
    using chosen = host.asArray(giver.give(three), { readOnly: true });
    expect(chosen.readOnly).toBe(true);
    array[Symbol.dispose]();
    chosen[Symbol.dispose]();
    expect(giver.look()).toMatchObject({ released: 2, deleted: 2 });
  });

  test('ignores flags that DLPack has not defined', () => {
    for (const readOnly of [false, true]) {
      for (let bit = 3n; bit < 64n; bit++) {
        using array = host.asArray(giver.give({ ...three, readOnly, flags: 1n << bit }));
        expect(array.readOnly, `bit ${bit}`).toBe(readOnly);
      }
    }
    giver.look();
  });

  test('lends its memory again, which then ends with the last loan', async () => {
    const first = host.asArray(giver.give(three));
    const second = host.asArray(first);
    const found = taker.take(second);
    first[Symbol.dispose]();
    second[Symbol.dispose]();
    expect(taker.sum(found.id)).toBe(3);
    expect(giver.look()).toEqual(NOTHING);
    taker.release(found.id, 'another');
    expect(giver.look()).toEqual({ ...ONE, elsewhere: 2 });
  });

  test('stays as long as the loan of its dict', async () => {
    const first = host.asArray(giver.give(three));
    const dict = first.__array_interface__;
    const second = host.asArray({ __array_interface__: { ...dict } });
    first[Symbol.dispose]();
    expect(await host.toTypedArray(second)).toEqual(Float32Array.of(0, 1, 2));
    expect(giver.look()).toEqual(NOTHING);
    await refused(() => host.asArray({ __array_interface__: dict }), 'ERR_DISPOSED');
    second[Symbol.dispose]();
    expect(giver.look()).toEqual(ONE);
  });

  test('of ours is a loan, also if its array is disposed', async () => {
    const array = await host.array([1, 2, 3], { dtype: 'float32' });
    const capsule = array[arrayCapsule]();
    const { pointer } = array;
    array[Symbol.dispose]();
    using loan = host.asArray(capsule);
    expect(loan.pointer).toBe(pointer);
    expect(loan.memory.allocation).toEqual({ pointer, byteLength: 12 });
    expect(await host.toTypedArray(loan)).toEqual(Float32Array.of(1, 2, 3));
  });

  test('with a later minor version of the header is read as far as it is known', async () => {
    using array = host.asArray(giver.give({ ...three, more: 64 }));
    expect(array.shape).toEqual([3]);
    const found = taker.take({ [arrayCapsule]: () => giver.give({ ...three, more: 64 }) });
    expect(taker.sum(found.id)).toBe(3);
    taker.release(found.id, 'here');
    array[Symbol.dispose]();
    expect(giver.look()).toMatchObject({ released: 2, deleted: 2 });
  });

  test('that is wrong is refused with the reason, and released', async () => {
    const opaque = (lanes: number) => ({ code: 3, bits: 8, lanes });
    const WRONG = [
      [{ ...three, abi: 2 }, 'ERR_VERSION', 'array_interface.h'],
      [{ ...three, major: 2 }, 'ERR_VERSION', 'version.major'],
      [{ ...three, isWithoutTensor: true }, 'ERR_TYPE', 'tensor'],
      [{ ...three, shape: Array(1025).fill(1), strides: Array(1025).fill(1) }, 'ERR_TYPE', 'shape'],
      [{ ...three, deviceType: 2 }, 'ERR_NOT_ACCESSIBLE', 'device of type 2'],
      [{ ...three, kind: 1, order: 1n }, 'ERR_STREAM', 'AI_READY'],
      [{ ...three, code: 200 }, 'ERR_DTYPE_UNSUPPORTED', 'code 200'],
      [{ ...three, typestr: 'nonsense' }, 'ERR_TYPESTR', 'nonsense'],
      [{ ...three, typestr: '<f4' }, 'ERR_DTYPE_UNSUPPORTED', 'of code 2 with 32 bits'],
      [{ ...three, ...opaque(8), typestr: '<f4' }, 'ERR_DTYPE_UNSUPPORTED', 'in 8 lanes'],
      [
        { ...three, ...opaque(4), typestr: '>f4', strides: [2 ** 62] },
        'ERR_OVERFLOW',
        'elementStrides[0]',
      ],
      [{ shape: [3], strides: [1] }, 'ERR_NULL_POINTER', 'got 0'],
      [{ shape: [3], strides: [1], data: 64n }, 'ERR_POINTER_UNKNOWN', '0x40'],
      [{ ...three, shape: [2 ** 40] }, 'ERR_OUT_OF_BOUNDS', 'elements within'],
      [{ ...three, shape: [-1] }, 'ERR_NEGATIVE_DIMENSION', '-1'],
    ] as const;
    for (const [gift, code, says] of WRONG) {
      let error: unknown;
      try {
        host.asArray(giver.give(gift));
      } catch (thrown) {
        error = thrown;
      }
      if (!isArrayInterfaceError(error)) throw error ?? new Error(`no ${code}`);
      expect([error.code, error.message]).toEqual([code, expect.stringContaining(says)]);
    }
    let seen = { ...NOTHING };
    await collected(() => {
      const { released, deleted } = giver.look();
      seen = { ...seen, released: seen.released + released, deleted: seen.deleted + deleted };
      expect(seen.released).toBe(WRONG.length);
    });
    expect(seen.deleted).toBe(WRONG.length - 1);
  });

  test('is not another External, an object without the method, or with a wrong method', async () => {
    await refused(() => host.asArray(giver.external()), 'ERR_NO_INTERFACE');
    await refused(() => host.asArray(Object.create(null)), 'ERR_NO_INTERFACE');
    const gives = (what: unknown) => ({ [arrayCapsule]: () => what }) as never;
    for (const wrong of [giver.external(), {}, 1, null, undefined]) {
      await refused(() => host.asArray(gives(wrong)), 'ERR_NO_INTERFACE');
    }
    const throwing = {
      [arrayCapsule]: () => {
        throw new Error('no');
      },
    } as never;
    await refused(() => host.asArray(throwing), 'ERR_NO_INTERFACE');
  });
});

test('capsules outlive the worker that made them, and nothing leaks', async () => {
  expect(await capsulesOfWorkers('host', tests)).toEqual({
    sum: 6,
    held: 2,
    left: 0,
    released: 2,
    deleted: 2,
    works: true,
  });
});

test('the addon that exported an array stays loaded after the only worker that loaded it ends', async () => {
  expect(await addonOfOneWorker(tests)).toBe('3 0\n');
});

test('so do the addons of all its functions, which may be three', async () => {
  const kept = await addonsOfFunctions(tests);
  expect(kept).toEqual(['release', 'deleter', 'consumed']);
});

/** The packages once more, as a project has them that installed them twice. */
async function secondCopy(folder: string): Promise<typeof import('@array-interface/host')> {
  const packages = join(folder, 'node_modules/@array-interface');
  for (const name of ['core', 'host']) {
    const from = join(import.meta.dirname, '../../..', name);
    for (const part of ['dist', 'package.json']) {
      cpSync(join(from, part), join(packages, name, part), { recursive: true });
    }
  }
  const addon =
    process.env['ARRAY_INTERFACE_ADDON_DIR'] || join(import.meta.dirname, '../../build/Release');
  cpSync(join(addon, 'host.node'), join(packages, 'host/build/Release/host.node'));
  return await import(join(packages, 'host/dist/index.js'));
}

test('passes between two installed copies of core and of the backend', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'second-copy-'));
  try {
    const other = await secondCopy(folder);
    expect(other.host).not.toBe(host);
    for (const [from, to] of [
      [host, other.host],
      [other.host, host],
    ] as const) {
      const array = await from.array([1, 2, 3], { dtype: 'float32' });
      const capsule = array.flip(0)[arrayCapsule]();
      array[Symbol.dispose]();
      const loan = to.asArray(capsule);
      expect(await to.toTypedArray(loan)).toEqual(Float32Array.of(3, 2, 1));
      await refused(() => from.asArray(capsule), 'ERR_DISPOSED');
      loan[Symbol.dispose]();
    }
    expect([liveAllocations(), other.liveAllocations()]).toEqual([0, 0]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('launch and use take objects that return capsules, and release them', async () => {
  const sum = defineKernel({
    name: 'sum',
    parameters: { source: { read: 'float32' }, target: { write: 'float32' } },
    code: {
      host: {
        javascript({ source, target }) {
          for (const value of source) target[0] = (target[0] as number) + value;
        },
      },
    },
  });
  using target = await host.array([0], { dtype: 'float32' });
  using queue = host.createQueue();
  const source = giver.give(three);
  await host.launch(sum, { range: [1] }, { source, target });
  await host.use(queue, { reads: [giver.give(three)] }, () => {});
  using same = host.asArray(giver.give(three));
  const values = await host.toTypedArray(same, { dtype: 'float32' });
  const total = values.reduce((all, value) => all + value, 0);
  expect(await host.toTypedArray(target)).toEqual(Float32Array.of(total));
  const again = await refused(
    () => host.launch(sum, { range: [1] }, { source, target }),
    'ERR_DISPOSED',
  );
  expect(again.message).toContain('used');
  same[Symbol.dispose]();
  let released = 0;
  await collected(() => {
    released += giver.look().released;
    expect(released).toBe(3);
  });
});

test('memory from a capsule is lent again while its first loan lives', async () => {
  const contents = addon().importCapsule(giver.give(three), capsuleContents) as CapsuleContents;
  const array = describeCapsule(contents, { devices: [1], memory: 'memory', orders: [0] });
  const first = borrow(host, array, {});
  const second = borrow(host, array, {});
  internals(first).end();
  expect(giver.look()).toEqual(NOTHING);
  await refused(() => borrow(host, array, {}), 'ERR_DISPOSED');
  internals(second).end();
  expect(giver.look()).toEqual(ONE);
});
