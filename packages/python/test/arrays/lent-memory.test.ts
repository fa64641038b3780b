import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel, Worker } from 'node:worker_threads';
import { host, liveAllocations } from '@array-interface/host';
import { PyObject, startPython } from '@array-interface/python';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { venv } from '../support/environment.js';

// Typed arrays in Python: a memoryview over the same memory, for as long as Python has it.

const python = startPython({ venv });
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
python.exec(`
import gc
import numpy as np
kept = []
def describe(value):
    a = np.asarray(value)
    return [type(value).__name__, value.format, a.dtype.str, a.ctypes.data, a.tolist(), len(value),
            value.readonly]
def keep(value): kept.append(np.asarray(value))
def call(f, *args): return f(*args)
def keep_and_call(value, f):
    kept.append(memoryview(value))
    return f()
`);
const describe = (value: unknown) =>
  python.eval('describe').call([value]).toJS<unknown[]>() as unknown[];
const keep = (value: unknown) => python.eval('keep').call([value]);
const drop = () => python.exec('kept.clear(); gc.collect()');

/** By the kinds of typed arrays: format, dtype. Node 20 and 22 have no Float16Array. */
const Float16 = (globalThis as { Float16Array?: Float32ArrayConstructor }).Float16Array;
const KINDS = [
  [Int8Array, 'b', '|i1'],
  [Uint8Array, 'B', '|u1'],
  [Uint8ClampedArray, 'B', '|u1'],
  [Int16Array, 'h', '<i2'],
  [Uint16Array, 'H', '<u2'],
  [Int32Array, 'i', '<i4'],
  [Uint32Array, 'I', '<u4'],
  [Float32Array, 'f', '<f4'],
  [Float64Array, 'd', '<f8'],
  [BigInt64Array, 'q', '<i8'],
  [BigUint64Array, 'Q', '<u8'],
  ...(Float16 ? ([[Float16, 'e', '<f2']] as const) : []),
] as const;

test.each(KINDS)('%o is a memoryview of format %s, and dtype %s', (Kind, format, dtype) => {
  const isBig = format === 'q' || format === 'Q';
  const array = (isBig ? [1n, 2n, 3n] : [1, 2, 3]) as never;
  const [name, ...described] = describe(new Kind(array));
  expect([name, ...described]).toEqual([
    'memoryview',
    format,
    dtype,
    expect.any(Number),
    [1, 2, 3],
    3,
    false,
  ]);
  expect(describe(new Kind(array).subarray(1, 2))).toMatchObject({ 4: [2], 5: 1 });
  expect(describe(new Kind(0))).toMatchObject({ 2: dtype, 4: [], 5: 0 });
});

test('a buffer and a DataView are bytes, of their part', () => {
  const { buffer } = new Uint8Array([7, 8, 9]);
  expect(describe(buffer)).toMatchObject({ 1: 'B', 4: [7, 8, 9] });
  expect(describe(new DataView(buffer, 1, 2))).toMatchObject({ 1: 'B', 4: [8, 9] });
  expect(describe(Buffer.from('hi'))).toMatchObject({ 1: 'B', 4: [104, 105] });
});

test('shared memory is the same memory', () => {
  const shared = new SharedArrayBuffer(8);
  const array = new Float32Array(shared);
  keep(array);
  keep(shared);
  python.exec('kept[0][0] = 1.5; kept[1][4:] = kept[1][:4]');
  expect([...array]).toEqual([1.5, 1.5]);
  expect(new Float32Array(structuredClone(shared))[0]).toBe(1.5);
  drop();
});

test('numbers of NumPy are those of the array, and writes are seen on both sides', () => {
  const numbers = fc.array(fc.double({ noNaN: true }), { maxLength: 300 });
  const check = fc.property(numbers, numbers, (before, after) => {
    const array = Float64Array.from(before);
    expect(describe(array)[4]).toEqual(before);
    python.eval('lambda a, b: np.copyto(np.asarray(a)[:len(b)], b[:len(a)])').call([array, after]);
    const written = after.slice(0, before.length);
    expect([...array]).toEqual([...written, ...before.slice(written.length)]);
  });
  fc.assert(check, random(100));
});

test('what Python keeps stays in place, at the same address, however small', async () => {
  for (let length = 1; length <= 64; length++) {
    let array: Uint8Array | null = Uint8Array.from({ length }, (_, i) => i);
    keep(array);
    const address = python.eval<number>('kept[-1].ctypes.data');
    collect();
    await setImmediate();
    array[0] = 255;
    expect(describe(array)[3]).toBe(address);
    array = null;
  }
  collect();
  await setImmediate();
  collect();
  expect(python.eval('[a[0] == 255 and len(a) for a in kept] == list(range(1, 65))')).toBe(true);
  drop();
});

test('a collected array stays as long as Python has it, and no longer', async () => {
  const kept = (() => {
    const array = new Float64Array(1000).fill(7);
    keep(array);
    return new WeakRef(array.buffer);
  })();
  for (let i = 0; i < 5; i++) {
    collect();
    await setImmediate();
  }
  expect(kept.deref()).toBeDefined();
  expect(python.eval('(kept[0] == 7).all() == True')).toBe(true);
  drop();
  for (let turn = 0; turn < 100 && kept.deref() !== undefined; turn++) {
    await setImmediate();
    collect();
  }
  expect(kept.deref()).toBeUndefined();
});

/** Each way of moving memory away. */
const MOVES: Record<string, (buffer: ArrayBuffer) => unknown> = {
  structuredClone: (buffer) => structuredClone(buffer, { transfer: [buffer] }),
  postMessage: (buffer) => {
    const { port1 } = new MessageChannel();
    try {
      port1.postMessage(buffer, [buffer]);
    } finally {
      port1.close();
    }
  },
  ...('transfer' in ArrayBuffer.prototype
    ? {
        transfer: (buffer: ArrayBuffer) =>
          (buffer as { transfer(): void } & ArrayBuffer).transfer(),
      }
    : {}),
};

/** On Node 20 a marked buffer is copied. */
function triesToMove(move: (buffer: ArrayBuffer) => unknown, buffer: ArrayBuffer): void {
  try {
    move(buffer);
  } catch {}
}

test.each(Object.entries(MOVES))('%s does not move what Python keeps', (_, move) => {
  const array = Float32Array.of(1, 2);
  keep(array);
  triesToMove(move, array.buffer);
  expect([...array]).toEqual([1, 2]);
  python.exec('kept[0][1] = 5');
  expect(array[1]).toBe(5);
  drop();
});

test.each(Object.entries(MOVES))('%s moves what Python has not kept', (_, move) => {
  const array = Float32Array.of(1, 2);
  describe(array);
  python.eval('call').call([python.eval('len'), array]);
  python.eval('len').call([array], {});
  python.eval('lambda *all: None').call([array, { a: [1] }, () => 1, new Map([[1, 2]])]);
  expect(python.bytes(array).length).toBe(8);
  move(array.buffer);
  expect(array.length).toBe(0);
});

test.each(Object.entries(MOVES))('%s in a callback does not move an argument', (_, move) => {
  const array = Float32Array.of(1, 2);
  const mover = () => triesToMove(move, array.buffer);
  python.eval('lambda value, f: [f(), value[1]][1]').call([array, mover]);
  expect([...array]).toEqual([1, 2]);
  python.eval('keep_and_call').call([array, mover]);
  expect(python.eval('kept[0][1]')).toBe(2);
  drop();
});

test('a getter among the arguments that detaches another is an error, not a crash', () => {
  const array = Float32Array.of(1, 2);
  const sly = {
    get x() {
      structuredClone(array.buffer, { transfer: [array.buffer] });
      return 1;
    },
  };
  const disposed = expect.objectContaining({ code: 'ERR_DISPOSED' });
  expect(() => python.eval('print').call([array, sly])).toThrowError(disposed);
});

test('what a callback returns is kept, too', () => {
  const made = python.eval('call').call([() => Float32Array.of(4, 5)]);
  collect();
  expect(made).toBeInstanceOf(PyObject);
  expect(made.toJS()).toEqual([4, 5]);
});

test('runAsync has the memory for as long as it runs', async () => {
  const later = python.eval(
    `lambda a: __import__('time').sleep(0.05) or float(np.asarray(a).sum())`,
  );
  const run = (() => python.runAsync(later, [new Float64Array(1000).fill(0.5)]))();
  collect();
  await setImmediate();
  collect();
  expect(await run).toBe(500);
});

test('memory of asTypedArray may be kept, and its array disposed', async () => {
  const before = liveAllocations();
  const array = await host.array([1, 2, 3], { dtype: 'float32' });
  keep(await array.asTypedArray());
  array[Symbol.dispose]();
  expect(python.eval('kept[0].tolist() == [1, 2, 3]')).toBe(true);
  drop();
  for (let turn = 0; turn < 100 && liveAllocations() > before; turn++) {
    collect();
    await setImmediate();
  }
  expect(liveAllocations()).toBe(before);
});

test('detached and resizable buffers are refused', () => {
  const gone = new Uint8Array(4);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  const resizable = Reflect.construct(ArrayBuffer, [4, { maxByteLength: 8 }]) as ArrayBuffer;
  const refusals: [unknown, string][] = [
    [gone, 'ERR_DISPOSED'],
    [gone.buffer, 'ERR_DISPOSED'],
    [resizable, 'ERR_NOT_ACCESSIBLE'],
    [new Uint8Array(resizable), 'ERR_NOT_ACCESSIBLE'],
    [new DataView(resizable), 'ERR_NOT_ACCESSIBLE'],
  ];
  for (const [value, code] of refusals) {
    expect(() => python.eval('print').call([[value]])).toThrowError(
      expect.objectContaining({ code, path: 'args[0][0]' }),
    );
  }
  const grows = Reflect.construct(SharedArrayBuffer, [
    4,
    { maxByteLength: 8 },
  ]) as SharedArrayBuffer;
  expect(python.eval('len').call([new Uint8Array(grows)])).toBe(4);
});

test('bytes are a copy from Python, and a view into it', () => {
  const bytes = new Uint8Array([1, 2]);
  python.import('__main__').set('lent', bytes);
  bytes[0] = 9;
  expect(python.eval('bytes(lent)')).toEqual(new Uint8Array([9, 2]));
  python.exec('sent = b"ab"');
  python.eval<Uint8Array>('sent')[0] = 9;
  expect(python.eval('sent')).toEqual(new Uint8Array([97, 98]));
  expect(python.import('zlib').callMethod('crc32', [Buffer.from('hi')])).toBe(3633523372);
  const digest = python.import('hashlib').callMethod('sha256', [Buffer.from('')]);
  expect(digest.callMethod('hexdigest')).toMatch(/^e3b0c442/);
  python.exec('del lent');
});

test('a worker’s memory is copied, and the copy is read-only', async () => {
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    (async () => {
      const { startPython } = await import(workerData.python);
      const python = startPython();
      const main = python.import('__main__');
      main.set('of_worker', [Float32Array.of(1, 2), new Int16Array(0), new Uint8Array(new SharedArrayBuffer(1))]);
      const buffer = Float32Array.of(1, 2).buffer;
      main.set('also', buffer);
      structuredClone(buffer, { transfer: [buffer] });
      parentPort.postMessage(buffer.byteLength);
    })();`;
  const workerData = { python: import.meta.resolve('@array-interface/python') };
  const worker = new Worker(code, { eval: true, workerData });
  const moved = new Promise((resolve) => worker.once('message', resolve));
  await new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject));
  expect(await moved).toBe(0);
  collect();
  const seen = python.eval('[(v.format, v.readonly, v.tolist()) for v in of_worker]');
  expect(seen.toJS()).toEqual([
    ['f', true, [1, 2]],
    ['h', true, []],
    ['B', true, [0]],
  ]);
  expect(python.eval('also.nbytes')).toBe(8);
  expect(() => python.exec('of_worker[0][0] = 5')).toThrowError(
    expect.objectContaining({ type: 'TypeError' }),
  );
  python.exec('del of_worker, also');
});
