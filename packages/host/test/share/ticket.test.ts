import { dtype } from '@array-interface/core';
import { type HostArray, host, liveAllocations, type Ticket } from '@array-interface/host';
import { random } from '@array-interface/random';
import { collect } from '@array-interface/support';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { forProcesses } from '../support/for-processes.js';
import { OtherProcess } from '../support/other-process.js';

/** Longer than any machine is busy. */
const PATIENCE = 100_000;
const VALUES = Float32Array.from({ length: 24 }, (_, i) => i);
const OPEN = 'state.array = host.openShared(value);';
const READ = 'return [...await host.toTypedArray(state.array)].map(Number);';
const MADE = `state.array = await host.array(Uint8Array.of(1, 2, 3), { shareable: true });
  return forProcesses(state.array);`;

const shareable = (values: Float32Array | Uint8Array = VALUES) =>
  host.array(values, { shareable: true });

const other = new OtherProcess();
afterAll(() => other[Symbol.asyncDispose]());

describe('host memory between processes', () => {
  test('is read and written in place by both', async () => {
    using array = await shareable();
    expect(await other.run(`${OPEN} ${READ}`, forProcesses(array))).toEqual([...VALUES]);
    await host.fill(array, 8);
    expect(await other.run(READ)).toEqual(Array(24).fill(8));
    await other.run('await host.fill(state.array, 9);');
    expect(await host.toTypedArray(array)).toEqual(new Float32Array(24).fill(9));
    const elements = await array.asTypedArray();
    await other.run('(await state.array.asTypedArray())[23] = 5;');
    expect(elements[23]).toBe(5);
  });

  test('has any layout of any dtype', async () => {
    await fc.assert(fc.asyncProperty(views, expectSame), random(60));
  });

  test('records keep their fields', async () => {
    const records = { __array_interface__: { ...RECORDS, data: new Uint8Array(24) } };
    using array = await host.array(records as never, { shareable: true });
    const ticket = forProcesses(array);
    expect(ticket.descr).toEqual(RECORDS.descr);
    const found = await other.run(
      `const { descriptor } = host.openShared(value);
      return descriptor.dtype.fields.map(({ name, offset }) => [name, offset]);`,
      ticket,
    );
    const fields = array.descriptor.dtype.fields?.map(({ name, offset }) => [name, offset]);
    expect(found).toEqual(fields);
  });

  test('a read-only ticket opens read-only', async () => {
    using array = await shareable();
    const ticket = forProcesses(array.broadcastTo([2, 24]));
    const refusal = await other.refusal(`${OPEN} await host.fill(state.array, 1);`, ticket);
    expect(refusal.code).toBe('ERR_READ_ONLY');
  });

  test('a ticket is small and plain, and always the same', async () => {
    using array = await shareable();
    const ticket = forProcesses(array);
    expect(JSON.parse(JSON.stringify(ticket))).toEqual(ticket);
    expect(structuredClone(ticket)).toEqual(ticket);
    expect(JSON.stringify(ticket).length).toBeLessThan(512);
    expect(forProcesses(array)).toEqual(ticket);
    using loan = host.asArray(array);
    expect(forProcesses(loan)).toEqual(ticket);
  });
});

describe('in one process', () => {
  test.each([{}, { shareable: true }])(
    'a ticket of memory made with %j is opened once',
    async (made) => {
      using array = await host.array(VALUES, made);
      using ticket = host.share(array.flip(0));
      using opened = host.openShared(structuredClone(ticket));
      expect(await host.toTypedArray(opened)).toEqual(VALUES.toReversed());
      await host.fill(opened, 7);
      expect(await host.toTypedArray(array)).toEqual(new Float32Array(24).fill(7));
      expect(() => host.openShared(structuredClone(ticket))).toThrow(
        expect.objectContaining({ code: 'ERR_TICKET' }),
      );
    },
  );
});

test('no file of memory is open without an array of a ticket', async () => {
  await using opener = new OtherProcess();
  const FILES = `const { readdirSync, readlinkSync } = process.getBuiltinModule('node:fs');
    const target = (number) => { try { return readlinkSync('/proc/self/fd/' + number); } catch { return ''; } };
    return readdirSync('/proc/self/fd').map(target).filter((one) => one.startsWith('/memfd:')).length;`;
  expect(await opener.run(FILES)).toBe(0);
  using array = await shareable();
  await opener.run(OPEN, forProcesses(array));
  await opener.run('state.array[Symbol.dispose]();');
  expect(await opener.run(FILES)).toBe(0);
});

describe('the memory stays', () => {
  // An earlier test mapped memory, which is kept until its buffer is collected. That must not happen
  // while these tests count.
  beforeAll(() =>
    vi.waitFor(async () => {
      await collect();
      expect(liveAllocations()).toBe(0);
    }, PATIENCE),
  );

  test('for those who have it open, if the sharer freed it or died', async () => {
    await using sharer = new OtherProcess();
    const ticket = await sharer.run<Ticket>(MADE);
    using array = host.openShared(ticket);
    await sharer.run('state.array[Symbol.dispose]();');
    expect(await sharer.run('return liveAllocations();')).toBe(0);
    expect(await host.toTypedArray(array)).toEqual(Uint8Array.of(1, 2, 3));
    await sharer.kill();
    await host.fill(array, 4);
    expect(await host.toTypedArray(array)).toEqual(new Uint8Array(3).fill(4));
  });

  test('for holders of the ticket, as long as it is valid', async () => {
    const before = liveAllocations();
    const array = await shareable(Uint8Array.of(1, 2, 3));
    const ticket = host.share(array);
    array[Symbol.dispose]();
    expect(await other.run(`${OPEN} ${READ}`, ticket)).toEqual([1, 2, 3]);
    expect(liveAllocations()).toBe(before + 1);
    ticket[Symbol.dispose]();
    expect(liveAllocations()).toBe(before);
    expect((await other.refusal(OPEN, ticket)).message).toContain('stale');
  });

  test('at one address if it is opened twice, until both have ended', async () => {
    const before = liveAllocations();
    await using sharer = new OtherProcess();
    const ticket = await sharer.run<Ticket>(MADE);
    const one = host.openShared(ticket);
    const two = host.openShared(ticket);
    expect(two.pointer).toBe(one.pointer);
    expect(liveAllocations()).toBe(before + 1);
    two[Symbol.dispose]();
    using loan = host.asArray({ __array_interface__: one.__array_interface__ });
    one[Symbol.dispose]();
    expect(liveAllocations()).toBe(before + 1);
    expect(await host.toTypedArray(loan)).toEqual(Uint8Array.of(1, 2, 3));
    loan[Symbol.dispose]();
    expect(liveAllocations()).toBe(before);
    using again = host.openShared(ticket);
    expect(await host.toTypedArray(again)).toEqual(Uint8Array.of(1, 2, 3));
  });

  test('if the thread that shared it has ended', async () => {
    await using sharer = new OtherProcess();
    const ticket = await sharer.run<Ticket>(
      `const { Worker } = await import('node:worker_threads');
      const worker = new Worker(\`
        import { parentPort } from 'node:worker_threads';
        import { host } from '@array-interface/host';
        const array = await host.array(Uint8Array.of(1, 2, 3), { shareable: true });
        parentPort.once('message', () => process.exit());
        const ticket = host.share(array);
        parentPort.postMessage(ticket);
        ticket[Symbol.dispose]();\`, { eval: true });
      state.worker = worker;
      return await new Promise((resolve) => worker.once('message', resolve));`,
    );
    using array = host.openShared(ticket);
    const kept = await sharer.run(`state.worker.postMessage('end');
      await new Promise((resolve) => state.worker.once('exit', resolve));
      return liveAllocations();`);
    expect(kept).toBe(0);
    expect(await host.toTypedArray(array)).toEqual(Uint8Array.of(1, 2, 3));
  });
});

const RECORDS = {
  version: 3,
  shape: [3],
  typestr: '|V8',
  descr: [
    ['x', '<f4'],
    ['größe', '>i2'],
    ['', '|V2'],
  ],
};

interface View {
  readonly dtype: 'uint8' | 'int16' | '>f4' | 'float64' | 'int64';
  readonly shape: readonly [number, number, number];
  readonly order: readonly number[];
  readonly ranges: readonly (readonly [start: number, stop: null, step: number])[];
  readonly flipped: readonly number[];
  readonly repeats: number;
}

const range = fc.tuple(fc.nat({ max: 1 }), fc.constant(null), fc.integer({ min: 1, max: 3 }));
const views: fc.Arbitrary<View> = fc.record({
  dtype: fc.constantFrom('uint8', 'int16', '>f4', 'float64', 'int64'),
  shape: fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.nat({ max: 4 })),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
  ranges: fc.array(range, { minLength: 3, maxLength: 3 }),
  flipped: fc.subarray([0, 1, 2]),
  repeats: fc.nat({ max: 2 }),
});

function viewOf(array: HostArray, { order, ranges, flipped, repeats }: View): HostArray {
  const view = array.permuteDims(order).slice(ranges).flip(flipped);
  return repeats === 0 ? view : view.broadcastTo([repeats, ...view.shape]);
}

/** Expects the other process to see what this one does. */
async function expectSame(random: View): Promise<void> {
  const { itemsize } = dtype(random.dtype);
  const size = random.shape.reduce((product, length) => product * length);
  const bytes = Uint8Array.from({ length: size * itemsize }, (_, i) => 1 + (i % 63));
  using array = await shareable(bytes);
  const view = viewOf(array.view(random.dtype).reshape(random.shape), random);
  const found = await other.run(
    `const array = host.openShared(value);
    const { shape, byteStrides, readOnly, dtype: { typestr } } = array.descriptor;
    const values = [...await host.toTypedArray(array)].map(String);
    array[Symbol.dispose]();
    return { shape, byteStrides, readOnly, typestr, values };`,
    forProcesses(view),
  );
  const { shape, byteStrides, readOnly, dtype: type } = view.descriptor;
  const values = Array.from<number | bigint, string>(await host.toTypedArray(view), String);
  expect(found).toEqual({ shape, byteStrides, readOnly, typestr: type.typestr, values });
}

test('a ticket of a part knows where the memory begins and ends', () => {
  using array = host.empty([16], 'uint8');
  const data = [array.pointer + 8n, false];
  const dict = { version: 3, shape: [4], typestr: '|u1', data };
  using part = host.asArray({ __array_interface__: dict as never });
  using opened = host.openShared(host.share(part, { threadsOnly: true }));
  expect(opened.pointer).toBe(array.pointer + 8n);
  expect(opened.memory.allocation).toEqual({ pointer: array.pointer, byteLength: 16 });
});
