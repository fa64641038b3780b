import { createRequire } from 'node:module';
import { ArrayInterfaceError, isArrayInterfaceError } from '@array-interface/core';
import { type Allocation, type CopyPlan, encodePlan } from '@array-interface/core/backend';
import { noPlans } from '@array-interface/support';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import type { Addon, NativeMemory } from '../src/addon.js';
import { runWithInterposer } from './support/interposer.js';

type Call = (...values: unknown[]) => unknown;
interface Allocated {
  readonly memory: unknown;
  readonly pointer: bigint;
}
/** The addon, called with anything. */
type Native = {
  readonly [Name in keyof Addon]: Addon[Name] extends (...values: never[]) => infer Result
    ? (...values: unknown[]) => Result
    : never;
};

const folder = process.env['ARRAY_INTERFACE_ADDON_DIR'] || '../build/Release';
const require = createRequire(import.meta.url);

/** The addon as the package uses it, with its runtime opened. */
function load(): Native {
  const native = require(`${folder}/sycl.node`) as Native;
  native.initialize(ArrayInterfaceError);
  const { availability } = sycl;
  if (availability.available) native.open(availability.library, '');
  return native;
}

const plan: CopyPlan = {
  destination: 0n,
  source: 0n,
  unit: 4,
  shape: [4],
  destinationStrides: [4],
  sourceStrides: [4],
  conversion: null,
  nbytes: 16,
};
const ODD = [undefined, null, 0, -1, 1.5, 2 ** 60, 3n, -3n, '', 'cpu', {}, [], plan, () => 1];
const numbers = encodePlan(plan).slice();

/** New host memory, which is released at the end of the test. */
function allocateHost(native: Native, byteLength: number): Allocated {
  const { handle: memory, range } = native.allocate(
    native.contextDevice(0).handle,
    3,
    byteLength,
    0,
    64,
  );
  return { memory, pointer: (range as Allocation).pointer };
}

test('no argument ends the process', () => {
  const native = load();
  const { handle: contextDevice } = native.contextDevice(0);
  const { memory } = allocateHost(native, 64);
  const { handle: queue } = native.createQueue(contextDevice, true, false);
  const event = native.record(queue);
  const values = [
    ...ODD,
    contextDevice,
    memory,
    queue,
    event,
    new Uint8Array(2),
    new Uint8Array(64),
    numbers,
    new Float64Array(2),
  ];
  for (const [name, call] of Object.entries(native)) {
    if (name === 'endMemory' || name === 'endQueue' || name === 'initialize') continue;
    for (const first of values) {
      for (const second of values) {
        for (const third of [undefined, 2n, plan, numbers, memory, new Uint8Array(1)])
          withFallback(call, first, second, third, memory);
      }
    }
  }
  native.endMemory(memory);
  native.endQueue(queue);
});

function withFallback(call: Call, ...values: unknown[]): void {
  try {
    const answer = call(...values);
    if (answer instanceof Promise) answer.catch(() => {}); // of work that failed before
  } catch (error) {
    expect(isArrayInterfaceError(error), String(error)).toBe(true);
  }
}

/** The code of what `work` throws. */
function code(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as ArrayInterfaceError).code;
  }
  return 'none';
}

test('plans that leave their memory are refused', () => {
  const native = load();
  const { memory, pointer } = allocateHost(native, 64);
  const { handle: queue } = native.createQueue(native.contextDevice(0).handle, true, false);
  const copy = (changes: object) =>
    code(() => native.read(memory, encodePlan({ ...plan, ...changes }), new Uint8Array(16)));
  expect(copy({})).toBe('none');
  expect(copy({ source: 1n })).toBe('ERR_OUT_OF_BOUNDS');
  expect(copy({ destination: 49n })).toBe('ERR_OUT_OF_BOUNDS');
  expect(copy({ sourceStrides: [-4] })).toBe('ERR_OUT_OF_BOUNDS');
  expect(copy({ shape: [2 ** 52] })).toBe('ERR_OUT_OF_BOUNDS');
  expect(copy({ unit: 3 })).toMatch(/^ERR_/);
  expect(copy({ unit: 2 ** 32 + 4 })).toMatch(/^ERR_/);
  expect(copy({ shape: Array(65).fill(1) })).toBe('ERR_TYPE');
  for (const [name, value] of noPlans(numbers)) {
    expect(
      code(() => native.read(memory, value, new Uint8Array(16))),
      name,
    ).toBe('ERR_TYPE');
  }
  const move = (changes: object) =>
    code(() => native.copy(queue, encodePlan({ ...plan, ...changes }), memory, memory));
  expect(move({ destination: pointer, source: pointer + 16n })).toBe('none');
  expect(move({ destination: pointer, source: pointer + 52n })).toBe('ERR_OUT_OF_BOUNDS');
  expect(move({ destination: pointer, source: pointer - 4n })).toBe('ERR_OUT_OF_BOUNDS');
  expect(move({ destination: pointer, source: 0x1000n })).toBe('ERR_OUT_OF_BOUNDS');
  expect(move({ destination: 2n ** 64n - 8n, source: pointer })).toMatch(/^ERR_/);
  const run = (to: bigint, from: bigint, byteLength: number) =>
    code(() => native.copyRun(queue, to, from, byteLength, memory, memory));
  expect(run(pointer, pointer + 32n, 32)).toBe('none');
  expect(run(pointer, pointer + 32n, 33)).toBe('ERR_OUT_OF_BOUNDS');
  expect(run(pointer - 1n, pointer + 32n, 32)).toBe('ERR_OUT_OF_BOUNDS');
  expect(run(pointer, pointer, -1)).toBe('ERR_TYPE');
  expect(run(0n, pointer, 1)).toBe('ERR_ARGUMENT');
  expect(run(0n, 0n, 0)).toBe('none');
  native.endMemory(memory);
  expect(run(pointer, pointer + 32n, 32)).toBe('ERR_DISPOSED');
  expect(code(() => native.read(memory, numbers, new Uint8Array(16)))).toBe('ERR_DISPOSED');
  expect(move({ destination: pointer, source: pointer + 16n })).toBe('ERR_DISPOSED');
  native.endQueue(queue);
  expect(code(() => native.record(queue))).toBe('ERR_DISPOSED');
});

test('plans that leave another library’s memory are refused, whichever end is outside', async () => {
  // In a process of its own that is killed while its copies are held: one that is not refused goes astray.
  const { stdout } = await runWithInterposer(
    `import { encodePlan } from '@array-interface/core/backend';
    import { sycl } from '@array-interface/sycl';
    import { native } from './native.mjs';
    const queue = sycl.createQueue(), reference = queue._get_capsule().pointer;
    const theirs = interposer.call('DPCTLmalloc_shared', 64n, reference);
    const { handle: contextDevice } = native.contextDevice(0);
    const { handle: memory, range } = native.allocate(contextDevice, 3, 64, 0, 64);
    const { handle: borrowed } = native.borrow(contextDevice, theirs, null);
    const { handle: own } = native.createQueue(contextDevice, true, false);
    interposer.hold(BigInt(native.queueReference(own)));
    const copy = (source, stride) => {
      const plan = { destination: range.pointer, source, unit: 4, shape: [4], destinationStrides: [4],
        sourceStrides: [stride], conversion: null, nbytes: 16 };
      try { native.copy(own, encodePlan(plan), memory, borrowed); } catch ({ code }) { return code; }
      return 'none';
    };
    const answer = { within: copy(theirs, 4), lastOutside: copy(theirs, 2 ** 40),
      firstOutside: copy(theirs, -(2 ** 40)) };
    process.stdout.write(JSON.stringify(answer), () => process.kill(process.pid, 'SIGKILL'));`,
  );
  const outside = 'ERR_POINTER_UNKNOWN';
  const expected = { within: 'none', lastOutside: outside, firstOutside: outside };
  expect(JSON.parse(stdout)).toEqual(expected);
});

test('memory is lent while it is referenced, and mapped for those who have it', () => {
  const native = load();
  const { handle: contextDevice } = native.contextDevice(0);
  const { memory, pointer } = allocateHost(native, 64);
  const borrow = () => native.borrow(contextDevice, pointer, null) as NativeMemory | null;
  const { handle: second } = borrow() as NativeMemory;
  native.endMemory(memory);
  native.endMemory((borrow() as NativeMemory).handle);
  expect(code(() => native.mapBuffer(memory, pointer, 64))).toBe('ERR_DISPOSED');
  expect(code(() => native.mapBuffer(second, pointer + 1n, 64))).toBe('ERR_NOT_ACCESSIBLE');
  const made = native.mapBuffer(second, pointer, 64) as { readonly buffer: ArrayBuffer } | null;
  native.endMemory(second);
  expect(borrow()).toBeNull(); // the buffer keeps the memory, and vouches for nothing
  expect(made?.buffer.byteLength).toBe(64);
});

test('an out-of-order queue starts each copy after the previous one', () => {
  const native = load();
  const side = 2048;
  const [source, busy, turned, last] = [side, side, side, 1].map((rows) =>
    allocateHost(native, rows * side * 4),
  ) as [Allocated, Allocated, Allocated, Allocated];
  const { handle: queue } = native.createQueue(native.contextDevice(0).handle, false, false);
  const row = { ...plan, shape: [side] };
  const whole = encodePlan({ ...plan, shape: [side * side], sourceStrides: [0] }).slice();
  native.read(source.memory, whole, new Uint8Array([1, 2, 3, 4]));
  native.read(turned.memory, whole, new Uint8Array(4));
  const turn = (to: Allocated) => {
    const layout = { shape: [side, side], destinationStrides: [side * 4, 4] };
    const strides = { ...layout, sourceStrides: [4, side * 4] };
    const pointers = { destination: to.pointer, source: source.pointer };
    native.copy(queue, encodePlan({ ...plan, ...strides, ...pointers }), to.memory, source.memory);
  };
  for (let i = 0; i < 8; i++) turn(busy);
  turn(turned);
  const end = turned.pointer + BigInt((side - 1) * side * 4);
  native.copy(
    queue,
    encodePlan({ ...row, destination: last.pointer, source: end }),
    last.memory,
    turned.memory,
  );
  native.waitEventSync(native.record(queue));
  const got = new Uint8Array(side * 4);
  native.write(last.memory, encodePlan(row), got);
  expect(got.findIndex((byte, i) => byte !== (i % 4) + 1)).toBe(-1);
  for (const { memory } of [source, busy, turned, last]) native.endMemory(memory);
  native.endQueue(queue);
});
