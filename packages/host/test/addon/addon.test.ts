import { execFileSync } from 'node:child_process';
import { ArrayInterfaceError } from '@array-interface/core';
import { type CopyPlan, type EncodedPlan, encodePlan } from '@array-interface/core/backend';
import { noPlans } from '@array-interface/support';
import { expect, test } from 'vitest';
import { addon } from '../../src/addon.js';
import { refused } from '../support/refused.js';

test('a missing addon is a result, and an error that says what to do', () => {
  const script = `
    const { host } = await import('@array-interface/host');
    let code;
    try { host.empty([1], 'uint8'); } catch (error) { code = error.code; }
    console.log(JSON.stringify({ ...host.availability, code }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { ...process.env, ARRAY_INTERFACE_ADDON_DIR: '/nonexistent' },
  });
  const { available, reason, remedy, tried, code } = JSON.parse(output);
  expect(available).toBe(false);
  expect(code).toBe('ERR_BACKEND_UNAVAILABLE');
  expect(reason).toBe(
    'the host addon at /nonexistent/host.node cannot be loaded: there is no such file',
  );
  expect(tried).toEqual(['/nonexistent/host.node']);
  expect(remedy).toContain('ARRAY_INTERFACE_ADDON_DIR');
});

test('functions check their arguments once more', async () => {
  const native = addon();
  const plan: CopyPlan = {
    destination: 0n,
    source: 0n,
    unit: 4,
    shape: [],
    destinationStrides: [],
    sourceStrides: [],
    conversion: null,
    nbytes: 0,
  };
  await refused(() => native.allocate(-1), 'ERR_TYPE');
  await refused(() => native.allocate(0.5), 'ERR_TYPE');
  await refused(() => native.allocate(2 ** 53 - 1), 'ERR_OUT_OF_MEMORY');
  await refused(() => native.release({} as never), 'ERR_TYPE');
  await refused(() => native.release(undefined as never), 'ERR_TYPE');
  await refused(() => native.find(5 as never), 'ERR_TYPE');
  await refused(() => native.hold(-5n), 'ERR_POINTER_RANGE');
  await refused(() => native.access(0n, -1), 'ERR_TYPE');
  await refused(() => native.addressOf(new Float32Array(2) as never), 'ERR_TYPE');
  const alongOne = { shape: [4], destinationStrides: [4], sourceStrides: [4] };
  for (const [name, value] of noPlans(encodePlan({ ...plan, ...alongOne }))) {
    const { path } = await refused(() => native.copy(value as EncodedPlan, 1), 'ERR_TYPE');
    expect(path, name).toBe('plan');
    await refused(() => native.explain(value as EncodedPlan, 1), 'ERR_TYPE');
  }
  await refused(() => native.copy(encodePlan({ ...plan, unit: 3 as never }), 1), 'ERR_ARGUMENT');
  await refused(() => native.copy(encodePlan({ ...plan, shape: [1] }), 1), 'ERR_TYPE');
  const strides = { destinationStrides: [4], sourceStrides: [4] };
  await refused(
    () => native.copy(encodePlan({ ...plan, ...strides, shape: [-1] }), 1),
    'ERR_ARGUMENT',
  );
  await refused(() => native.copy(encodePlan(plan), undefined as never), 'ERR_TYPE');
  for (const threads of [0, 1025, 2 ** 32 + 1]) {
    await refused(() => native.copy(encodePlan(plan), threads), 'ERR_ARGUMENT');
  }
  await refused(() => native.copyBytes(-1n, 0n, 0), 'ERR_POINTER_RANGE');
  await refused(() => native.copyBytes(0n, 0 as never, 0), 'ERR_TYPE');
  await refused(() => native.copyBytes(0n, 0n, -1), 'ERR_TYPE');
  await refused(() => native.copyBytes(0n, 0n, 1), 'ERR_ARGUMENT');
  native.copyBytes(0n, 0n, 0);
});

test('arrays of a program are at the places of addresses, each once', async () => {
  const native = addon();
  const words = (...numbers: readonly number[]) => new Uint8Array(Uint32Array.from(numbers).buffer);
  const [UINT32, ADDRESS] = [5, 10]; // core's codes
  const types = words(UINT32, UINT32, ADDRESS, ADDRESS);
  // One array, at the last place, and no instructions.
  const program = words(0x5058_4941, 1, 1, 1, 0, 0, 1, 3, 0, 4);
  const read = (...arrays: readonly number[]) =>
    native.readProgram(program, types, words(...arrays));
  read(3, 4, 0);
  const right = read(2, 4, 1, 3, 4, 0);
  const values = new Uint8Array(4 * 8);
  native.runProgram(right, values, new Uint8Array(4 * 8), 0, 1);
  await refused(
    () => native.runProgram(right, values, new Uint8Array(2 * 8), 0, 1),
    'ERR_ARGUMENT',
  );
  for (const wrong of [
    [2, 4, 1, 2, 4, 1, 3, 4, 0], // the same place twice: the last one's extent would be the third of two
    [2, 0, 1, 3, 4, 0], // no bytes
    [0, 4, 1, 3, 4, 0], // a number
    [4, 4, 1, 3, 4, 0], // no parameter
  ]) {
    await refused(() => read(...wrong), 'ERR_ARGUMENT');
  }
});

/** The bytes of a sum of float64 along one axis, for each output along another; `more` is what follows the load of an element. */
function sumBytes(more: readonly number[] = []): Uint8Array {
  const [OWN, FLOAT64, LOAD, ADD, STORE] = [14, 10, 0, 4, 31];
  const accumulators = [OWN, 0, 8, OWN + 1, 0, 8, OWN + 2, 0, 8];
  const one = (operation: number, ...others: readonly number[]) => [
    operation | (FLOAT64 << 8),
    ...others,
  ];
  const part = (axes: number, arrays: readonly number[], instructions: readonly number[]) => {
    const head = [0x5058_4941, 1, axes, arrays.length / 3, instructions.length / 4, 0, 1];
    return [...head, ...Array(axes - 1).fill(1), ...arrays, ...instructions];
  };
  const element = [...one(LOAD, 3, 0, 0), ...more, ...one(STORE, 2, 0, more.length / 4)];
  const pair = [
    ...one(LOAD, 0, 0, 0),
    ...one(LOAD, 1, 0, 0),
    ...one(ADD, 0, 1, 0),
    ...one(STORE, 2, 0, 2),
  ];
  const parts = [
    part(2, [...accumulators, 9, 2, 8], element),
    part(1, accumulators, pair),
    part(1, [...accumulators, 12, 2, 8], [...one(LOAD, 0, 0, 0), ...one(STORE, 3, 0, 0)]),
  ];
  const tree = Array.from({ length: 9 }, (_, place) => place);
  const head = [0x5258_4941, 1, 0, 0, 0, 0, 1, 0, ...tree, FLOAT64];
  const words = [...head, ...parts.map(({ length }) => length), ...parts.flat()];
  return new Uint8Array(Uint32Array.from(words).buffer);
}

test('numbers of a reduction that wrap around are refused, and so is an index of axes of two kinds', async () => {
  const native = addon();
  const [INT64, UINT64, ADDRESS] = [6, 7, 10]; // core's codes
  const types = [...Array(9).fill(UINT64), ADDRESS, INT64, INT64, ADDRESS, INT64];
  const read = (program: Uint8Array) =>
    native.readProgram(
      program,
      new Uint8Array(Uint32Array.from(types).buffer),
      new Uint8Array(Uint32Array.from([9, 8, 0, 12, 8, 1]).buffer),
    );
  const program = read(sumBytes());
  const x = Float64Array.of(1, 2, 3, 4, 5, 6);
  const y = new Float64Array(1);
  const [from, to] = [x, y].map(({ buffer }) => native.addressOf(new Uint8Array(buffer))) as [
    bigint,
    bigint,
  ];
  const run = (rows: bigint, leafRows: bigint, leaves: bigint, step: bigint) => {
    const tree = [0n, 1n, 1n, rows, 0n, leafRows, leaves, leaves, 1n];
    const values = BigUint64Array.from([...tree, from, 0n, step, to, 0n]);
    const extents = Float64Array.from([0, 48, 0, 8]);
    native.runProgram(program, new Uint8Array(values.buffer), new Uint8Array(extents.buffer), 1, 1);
  };
  run(6n, 16n, 1n, 1n);
  expect(y[0]).toBe(21);
  for (const rows of [2n ** 49n, 2n ** 57n + 1n, 2n ** 61n + 1n, 2n ** 63n + 1n]) {
    await refused(() => run(rows, rows, 1n, 0n), 'ERR_KERNEL');
    await refused(() => run(rows, 1n, rows, 0n), 'ERR_KERNEL');
  }
  // The index along some axes as float64, added.
  const withIndex = (first: number, further: number) =>
    read(
      sumBytes([3 | (4 << 8), first, further, 0, 29 | (10 << 8), 1, 0, 0, 4 | (10 << 8), 0, 2, 0]),
    );
  await refused(() => withIndex(0, 1), 'ERR_KERNEL');
  withIndex(1, 0);
});

test('a released lease is empty, and may be released again', () => {
  const native = addon();
  const before = native.liveAllocations();
  const { handle, pointer } = native.allocate(10);
  const second = native.hold(pointer + 9n);
  native.release(handle);
  native.release(handle);
  expect(native.find(pointer)).toEqual({ pointer, byteLength: 10 });
  if (second !== null) native.release(second);
  expect(native.find(pointer)).toBeNull();
  expect(native.hold(pointer)).toBeNull();
  expect(native.liveAllocations()).toBe(before);
});

test('a released lease is refused by everything that would use its memory', async () => {
  const native = addon();
  const { handle } = native.allocate(64);
  native.release(handle);
  const uses = [
    () => native.share(handle),
    () => native.addTicket(handle, '0123456789abcdef', '{}'),
  ];
  for (const use of uses) await refused(use, 'ERR_DISPOSED');
  expect(native.takeTicket('0123456789abcdef')).toBeNull();
});

test('errors are of the class that JavaScript passed in', () => {
  expect(() => addon().allocate(-1)).toThrow(ArrayInterfaceError);
});
