import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { markAsUntransferable } from 'node:worker_threads';
import { defineKernel } from '@array-interface/core/kernel';
import { host, liveAllocations } from '@array-interface/host';
import { collect } from '@array-interface/support';
import { describe, expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { mappings } from '../support/mappings.js';
import { refused } from '../support/refused.js';

/** Longer than any machine is busy. */
const PATIENCE = 100_000;

describe('JavaScript memory', () => {
  test.each([
    ['an ArrayBuffer', () => new ArrayBuffer(32)],
    ['a SharedArrayBuffer', () => new SharedArrayBuffer(32)],
  ])('%s is its own typed array, which dispose does not detach', async (_, make) => {
    const source = new Float32Array(make(), 8, 4).fill(1);
    const array = host.asArray(source);
    const seen = await array.slice([[1, 3]]).asTypedArray();
    expect(seen.buffer).toBe(source.buffer);
    expect([seen.byteOffset, seen.length]).toEqual([12, 2]);
    array[Symbol.dispose]();
    expect(seen).toEqual(Float32Array.of(1, 1));
    await refused(() => array.asTypedArray(), 'ERR_DISPOSED');
  });

  test('that was detached or shrunk is refused', async () => {
    const source = new Uint8Array(16);
    using array = host.asArray(source);
    structuredClone(source, { transfer: [source.buffer] });
    await refused(() => array.asTypedArray(), 'ERR_DISPOSED');
    const Resizable = ArrayBuffer as unknown as new (n: number, options: object) => ArrayBuffer;
    const buffer = new Resizable(16, { maxByteLength: 32 });
    using shrinking = host.asArray(buffer);
    const asked = shrinking.asTypedArray();
    (buffer as unknown as { resize(n: number): void }).resize(8);
    await refused(() => asked, 'ERR_OUT_OF_BOUNDS');
    expect(await shrinking.slice([[0, 8]]).asTypedArray()).toHaveLength(8);
  });
});

describe('an address', () => {
  test('of another library gets a buffer, which ends with the loan', async () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const pointer = addon().addressOf(bytes);
    const dict = { version: 3, typestr: '<u2', shape: [2], data: [pointer + 2n, false] };
    const array = host.asArray({ __array_interface__: dict });
    const seen = await array.asTypedArray();
    expect(seen).toEqual(Uint16Array.of(0x403, 0x605));
    seen[0] = 0x909;
    expect(bytes).toEqual(Uint8Array.of(1, 2, 9, 9, 5, 6, 7, 8));
    array[Symbol.dispose]();
    expect(seen).toHaveLength(0);
    expect(bytes[2]).toBe(9);
  });

  test('of read-only pages is refused, whatever its producer says', async () => {
    const [code] = mappings(/^r--p/);
    const data = [code?.low, false];
    const dict = { version: 3, typestr: '|u1', shape: [4], data };
    using array = host.asArray({ __array_interface__: dict } as never);
    const { path, message } = await refused(() => array.asTypedArray(), 'ERR_NOT_ACCESSIBLE');
    expect(path).toBe('array');
    expect(message).toContain('toTypedArray()');
  });
});

test('disposed memory is freed, although the program never returns to the event loop', async () => {
  const before = liveAllocations();
  let most = 0;
  for (let i = 0; i < 300; i++) {
    using array = host.empty([2 ** 20], 'uint8');
    await array.asTypedArray();
    most = Math.max(most, liveAllocations() - before);
  }
  expect(most).toBeLessThan(250); // V8 collects when it likes, and it does
  await vi.waitFor(async () => {
    await collect();
    expect(liveAllocations()).toBe(before);
  }, PATIENCE);
});

test('the arguments of a kernel are released at once', async () => {
  const before = liveAllocations();
  const code = { host: { javascript: ({ bytes }: { bytes: Uint8Array }) => bytes.fill(1) } };
  const kernel = defineKernel({ name: 'fills', parameters: { bytes: { write: 'uint8' } }, code });
  for (let i = 0; i < 10; i++) {
    using array = host.empty([64], 'uint8');
    await host.launch(kernel, { range: [1] }, { bytes: array });
    expect(liveAllocations()).toBe(before + 1);
  }
  expect(liveAllocations()).toBe(before);
});

describe('what JavaScript marked as untransferable cannot be detached, and stays with its memory:', () => {
  /** Before Node 24 only transfers by structuredClone were refused. */
  const stays = (() => {
    const marked = new ArrayBuffer(8) as ArrayBuffer & { transfer?(): ArrayBuffer };
    markAsUntransferable(marked);
    try {
      marked.transfer?.();
      return false;
    } catch {
      return true;
    }
  })();
  const freed = (before: number) =>
    vi.waitFor(async () => {
      await collect();
      expect(liveAllocations()).toBe(before);
    }, PATIENCE);

  test('a typed array', async () => {
    const before = liveAllocations();
    const lengthOfMarked = async () => {
      const array = await host.array([1, 2, 3], { dtype: 'float32' });
      const elements = await array.asTypedArray({ dtype: 'float32' });
      markAsUntransferable(elements.buffer);
      array[Symbol.dispose]();
      return elements.length;
    };
    expect(await lengthOfMarked()).toBe(stays ? 3 : 0);
    await freed(before);
  });

  test('the argument of a kernel', async () => {
    const before = liveAllocations();
    const kept: Uint8Array[] = [];
    const keep = ({ bytes }: { bytes: Uint8Array }) => {
      markAsUntransferable(bytes.buffer);
      kept.push(bytes.fill(7));
    };
    const parameters = { bytes: { write: 'uint8' } } as const;
    const kernel = defineKernel({
      name: 'keeps',
      parameters,
      code: { host: { javascript: keep } },
    });
    const array = host.empty([64], 'uint8');
    await host.launch(kernel, { range: [1] }, { bytes: array });
    array[Symbol.dispose]();
    expect(kept[0]?.[0]).toBe(stays ? 7 : undefined);
    expect(liveAllocations()).toBe(stays ? before + 1 : before);
    kept.length = 0;
    await freed(before);
  });
});

describe('the addon ends the buffer that it made, once, and no other', () => {
  const make = (isForKernels: boolean) => {
    const { handle, pointer } = addon().allocate(64);
    const made = addon().mapBuffer(pointer, 64, handle, isForKernels);
    if (made === null) throw new Error('expected a buffer');
    addon().release(handle);
    return { ...made, handle };
  };

  test('for kernels', async () => {
    const before = liveAllocations();
    const { mapped, buffer, handle } = make(true);
    for (const other of [new ArrayBuffer(64), {} as ArrayBuffer]) {
      addon().unmapBuffer(mapped, other, null);
      expect([buffer.byteLength, liveAllocations()]).toEqual([64, before + 1]);
    }
    addon().unmapBuffer(mapped, buffer, null);
    expect([buffer.byteLength, liveAllocations()]).toEqual([0, before]);
    addon().unmapBuffer(mapped, buffer, null);
    await refused(() => addon().unmapBuffer(handle as never, buffer, null), 'ERR_TYPE');
  });

  test('or keeps its bytes, and its producer, until it is collected', async () => {
    const before = liveAllocations();
    let producer: object | null = {};
    let made: ReturnType<typeof make> | null = make(false);
    const weak = new WeakRef(producer);
    const again = [producer, null, 3, 'text'];
    for (const one of again) addon().unmapBuffer(made.mapped, made.buffer, one);
    again.length = 0;
    producer = null;
    await collect();
    expect([made.buffer.byteLength, liveAllocations()]).toEqual([0, before + 1]);
    expect(weak.deref()).toBeDefined();
    made = null;
    await vi.waitFor(async () => {
      await collect();
      expect(liveAllocations()).toBe(before);
      expect(weak.deref()).toBeUndefined();
    }, PATIENCE);
  });
});

test('a transferred buffer keeps the memory, and nothing leaks in the end', async () => {
  const program = fileURLToPath(new URL('../programs/moved.mjs', import.meta.url));
  const flags = ['--expose-gc', program];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const moves = 'transfer' in ArrayBuffer.prototype; // not in Node 20
  expect(JSON.parse(stdout)).toEqual({ first: moves ? 7 : null, during: 1, left: 0 });
});
