import { describe, expect, test } from 'vitest';
import type { Launch } from '../../../src/backend/index.js';
import { defineKernel } from '../../../src/kernel/index.js';
import { FakeBackend, FakeDriver, fakeLaunches as fake } from '../../support/fake-driver.js';
import { rejection } from '../../support/refusal.js';

const code = { fake: {} } as never;
const scale = defineKernel({
  name: 'scale',
  parameters: { target: { write: 'float32' }, factor: 'float32' },
  code,
});

const view = ({ values }: Launch) => new DataView(values.buffer);

describe('launch', () => {
  test('passes the driver one slot of 8 bytes for each value, and which arrays the code writes', async () => {
    const { backend, launches } = fake();
    const kernel = defineKernel({
      name: 'all',
      parameters: {
        source: { read: 'int16', strides: 2 },
        target: { write: 'float32' },
        n: 'int8',
        exact: 'float64',
        room: { local: 'int16' },
        row: { first: 0 },
      },
      code,
    });
    using source = backend.empty([3, 4], 'int16');
    using target = backend.empty([5], 'float32');
    const values = { source: source.transpose(), target, n: -2, exact: 0.5, room: 10 };
    await backend.launch(kernel, { range: [2, 5], group: [1, 4] }, values);
    const [launch] = launches as [Launch];
    expect(launch).toMatchObject({ begin: [0, 0], range: [2, 5], group: [1, 4], localBytes: 20 });
    expect(launch.uses.map(({ memory, writes }) => ({ memory, writes }))).toEqual([
      { memory: source.memory, writes: false },
      { memory: target.memory, writes: true },
    ]);
    const at = view(launch);
    expect(at.byteLength).toBe(8 * 8);
    expect(at.getBigUint64(0, true)).toBe(source.pointer);
    expect([at.getBigInt64(8, true), at.getBigInt64(16, true)]).toEqual([1n, 4n]);
    expect(at.getBigUint64(24, true)).toBe(target.pointer);
    expect(at.getInt8(32)).toBe(-2);
    expect(at.getFloat64(40, true)).toBe(0.5);
    expect(at.getBigUint64(48, true)).toBe(20n);
    expect(at.getUint32(56, true)).toBe(0);
  });

  test('cuts a range that is too long, and passes the first indices', async () => {
    const { backend, driver, launches } = fake();
    driver.launchLimits = { items: 2 ** 31, groups: [8, 3, 2] };
    const kernel = defineKernel({
      name: 'cut',
      parameters: { target: { write: 'int8' }, plane: { first: 0 }, column: { first: 2 } },
      code,
    });
    using target = backend.empty([5], 'int8');
    await backend.launch(kernel, { range: [3, 3, 20] }, { target });
    const pieces = launches.map((launch) => {
      const told = [view(launch).getUint32(8, true), view(launch).getUint32(16, true)];
      return [launch.begin, launch.range, told];
    });
    expect(pieces).toEqual([
      [[0, 0, 0], [2, 3, 8], [0, 0]],
      [[0, 0, 8], [2, 3, 8], [0, 8]],
      [[0, 0, 16], [2, 3, 4], [0, 16]],
      [[2, 0, 0], [1, 3, 8], [2, 0]],
      [[2, 0, 8], [1, 3, 8], [2, 8]],
      [[2, 0, 16], [1, 3, 4], [2, 16]],
    ]); // biome-ignore format: one piece a line
    const error = await rejection(backend.launch(kernel, { range: [1, 4, 1] }, { target }));
    expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'range[1]' });
  });

  test('cuts into whole groups, and by the number of all items', async () => {
    const { backend, driver, launches } = fake();
    driver.launchLimits = { items: 64, groups: [100, 100, 100] };
    const kernel = defineKernel({
      name: 'cut',
      parameters: { target: { write: 'int8' }, row: { first: 0 } },
      code,
    });
    using target = backend.empty([5], 'int8');
    await backend.launch(kernel, { range: [10, 10], group: [4, 2] }, { target });
    expect(launches.map(({ begin, range }) => [begin[0], range[0]])).toEqual([
      [0, 4],
      [4, 4],
      [8, 2],
    ]);
  });

  test('refuses a range of more pieces than anybody would wait for, and launches none', async () => {
    const { backend, launches } = fake();
    const kernel = defineKernel({
      name: 'cut',
      parameters: { target: { write: 'int8' }, row: { first: 0 }, column: { first: 1 } },
      code,
    });
    using target = backend.empty([5], 'int8');
    const range = [2 ** 32 - 1, 2 ** 32 - 1];
    const launched = backend.launch(kernel, { range }, { target });
    expect(await rejection(launched)).toMatchObject({ code: 'ERR_OVERFLOW', path: 'range' });
    expect(launches).toEqual([]);
  });

  test('counts local memory before anything runs', async () => {
    const { backend, launches } = fake();
    const kernel = defineKernel({
      name: 'local',
      parameters: { target: { write: 'int8' }, a: { local: 'f8' }, b: { local: 'f8' } },
      code,
    });
    using target = backend.empty([5], 'int8');
    const grid = { range: [1], group: [1] };
    const of = (a: number, b: number) => backend.launch(kernel, grid, { target, a, b });
    const refused = await rejection(of(2 ** 28, 2 ** 28));
    expect(refused).toMatchObject({ code: 'ERR_OVERFLOW', path: 'b' });
    await of(2 ** 28, 2 ** 28 - 1);
    expect(launches.map(({ localBytes }) => localBytes)).toEqual([2 ** 32 - 8]);
  });

  test('refuses groups and local memory that the device does not have', async () => {
    const { backend, driver, launches } = fake();
    driver.limitsOfGroups = { items: 48, axes: [48, 16, 4], localBytes: 100 };
    const kernel = defineKernel({
      name: 'limited',
      parameters: { target: { write: 'int8' }, a: { local: 'f8' }, b: { local: 'i1' } },
      code,
    });
    using target = backend.empty([5], 'int8');
    const of = (group: readonly number[], a = 1, b = 1) => {
      return backend.launch(kernel, { range: group.map(() => 8), group }, { target, a, b });
    };
    for (const [launched, path] of [
      [of([49]), 'group'],
      [of([2, 5, 5]), 'group'],
      [of([17, 1]), 'group[0]'],
      [of([5, 1, 1]), 'group[0]'],
      [of([4, 17, 1]), 'group'],
      [of([8], 13), 'a'],
      [of([8], 12, 5), 'b'],
    ] as const) {
      expect(await rejection(launched)).toMatchObject({ code: 'ERR_ARGUMENT', path });
    }
    expect(launches).toEqual([]);
    await Promise.all([of([48]), of([3, 16]), of([4, 3, 4], 12, 4)]);
    expect(launches).toHaveLength(3);
  });

  test('refuses local memory without a group before it is built', async () => {
    const { backend, driver, launches } = fake();
    driver.builds = () => expect.unreachable();
    const kernel = defineKernel({
      name: 'local',
      parameters: { target: { write: 'int8' }, room: { local: 'f4' } },
      code,
    });
    using target = backend.empty([5], 'int8');
    for (const room of [0, 64]) {
      const launched = backend.launch(kernel, { range: [5] }, { target, room });
      expect(await rejection(launched)).toMatchObject({ code: 'ERR_ARGUMENT', path: 'group' });
    }
    expect(launches).toEqual([]);
  });

  test('keeps the queue while a kernel is built', async () => {
    const { backend, driver, launches } = fake();
    driver.builds = () => new Promise((resolve) => setTimeout(resolve, 1, {}));
    using target = backend.empty([5], 'float32');
    const queue = backend.createQueue();
    const launched = backend.launch(scale, { range: [5], queue }, { target, factor: 1 });
    queue[Symbol.dispose]();
    expect(driver.log).not.toContain('made ends');
    await launched;
    expect([launches.length, driver.log.at(-1)]).toEqual([1, 'made ends']);
  });

  test('waits for a kernel that is being built, and keeps the arrays meanwhile', async () => {
    const { backend, driver, launches } = fake();
    let finish = (_built: object) => {};
    driver.builds = () =>
      new Promise<object>((resolve) => {
        finish = resolve;
      });
    const target = backend.empty([5], 'float32');
    const memory = target.memory as unknown as { freed: boolean };
    const launched = backend.launch(scale, { range: [5] }, { target, factor: 1 });
    target[Symbol.dispose]();
    expect([launches.length, memory.freed]).toEqual([0, false]);
    finish({});
    await launched;
    expect([launches.length, memory.freed]).toEqual([1, true]);
  });

  test('aborts a launch whose signal is aborted while the kernel is built', async () => {
    const { backend, driver, launches } = fake();
    driver.builds = () => new Promise((resolve) => setTimeout(resolve, 1, {}));
    using target = backend.empty([5], 'float32');
    const controller = new AbortController();
    const { signal } = controller;
    const launched = backend.launch(scale, { range: [5], signal }, { target, factor: 1 });
    controller.abort();
    expect(await rejection(launched)).toMatchObject({ name: 'AbortError' });
    const late = backend.launch(scale, { range: [5], signal }, { target, factor: 1 });
    expect(await rejection(late)).toMatchObject({ name: 'AbortError' });
    expect(launches).toEqual([]);
  });

  test('runs the pieces one after the other if each ends before its promise settles', async () => {
    const { backend, driver } = fake();
    driver.launchLimits = { items: 4, groups: [4, 4, 4] };
    const begun: unknown[] = [];
    driver.launches = async (_queue, _built, { begin }) => {
      begun.push(begin[0]);
      await null;
      begun.push('ended');
    };
    const kernel = defineKernel({
      name: 'cut',
      parameters: { target: { write: 'int8' }, i: { first: 0 } },
      code,
    });
    using target = backend.empty([5], 'int8');
    await backend.launch(kernel, { range: [9] }, { target });
    expect(begun).toEqual([0, 'ended', 4, 'ended', 8, 'ended']);
  });

  test('releases the arrays if the driver refuses', async () => {
    const { backend, driver } = fake();
    driver.builds = () => {
      throw new Error('on purpose');
    };
    const target = backend.empty([5], 'float32');
    const launched = backend.launch(scale, { range: [5] }, { target, factor: 1 });
    expect(await rejection(launched)).toMatchObject({ message: 'on purpose' });
    target[Symbol.dispose]();
    expect(driver.live.size).toBe(0);
  });

  test('uses the queue of the first array that is written', async () => {
    const { backend, driver } = fake();
    const names: string[] = [];
    driver.launches = ({ name }) => {
      names.push(name);
    };
    using queue = backend.createQueue();
    using home = backend.empty([5], 'float32', { queue });
    using other = backend.empty([5], 'float32');
    await backend.launch(scale, { range: [5] }, { target: home, factor: 1 });
    await backend.launch(scale, { range: [5] }, { target: other, factor: 1 });
    expect(names[0]).toBe('made');
    expect(names[1]).not.toBe('made');
  });

  test('uses it also where an array before it is only read', async () => {
    const { backend, driver } = fake();
    const names: string[] = [];
    driver.launches = ({ name }) => {
      names.push(name);
    };
    const kernel = defineKernel({
      name: 'copy',
      parameters: { source: { read: 'float32' }, target: { write: 'float32' } },
      code,
    });
    using queue = backend.createQueue();
    using home = backend.empty([5], 'float32', { queue });
    using other = backend.empty([5], 'float32');
    await backend.launch(kernel, { range: [5] }, { source: other, target: home });
    await backend.launch(kernel, { range: [5] }, { source: home, target: other });
    expect(names).toEqual(['made', 'q0']);
  });

  test('runs only on a queue whose kernels, not only its copies, reach every array', async () => {
    const backend = new FakeBackend(new FakeDriver([0, 0, 1]));
    const launched: string[] = [];
    backend.driver.launches = ({ name }) => {
      launched.push(name);
    };
    const kernel = defineKernel({
      name: 'copy',
      parameters: { target: { write: 'float32' }, source: { read: 'float32' } },
      code,
    });
    using target = backend.empty([5], 'float32');
    for (const [device, code] of [
      [0, null],
      [1, 'ERR_ARGUMENT'],
      [2, 'ERR_ARGUMENT'],
    ] as const) {
      using source = backend.empty([5], 'float32', { device });
      const outcome = await backend.launch(kernel, { range: [5] }, { target, source }).then(
        () => null,
        (error: { code: string }) => error.code,
      );
      expect([device, outcome]).toEqual([device, code]);
    }
    expect(launched).toEqual(['q0']);
  });

  test('of no items runs nothing, and is checked like others', async () => {
    const { backend, launches } = fake();
    using target = backend.empty([5], 'float32');
    for (const range of [[0], [3, 0], [0, 2, 3]]) {
      await backend.launch(scale, { range }, { target, factor: 1 });
    }
    expect(launches).toEqual([]);
    const wrong = backend.launch(scale, { range: [0] }, { target, factor: 'x' as never });
    expect(await rejection(wrong)).toMatchObject({ code: 'ERR_TYPE', path: 'factor' });
  });

  test('passes the first indices in their slots, behind arrays with strides', async () => {
    const { backend, driver, launches } = fake();
    driver.launchLimits = { items: 2 ** 31, groups: [4, 4, 4] };
    const kernel = defineKernel({
      name: 'cut',
      parameters: { target: { write: 'int8', strides: 2 }, first: { first: 0 }, n: 'int32' },
      code,
    });
    using target = backend.empty([2, 3], 'int8');
    await backend.launch(kernel, { range: [8] }, { target, n: 7 });
    const told = launches.map((launch) => {
      const at = view(launch);
      return [
        at.getBigInt64(8, true),
        at.getBigInt64(16, true),
        at.getUint32(24, true),
        at.getInt32(32, true),
      ];
    });
    expect(told).toEqual([
      [3n, 1n, 0, 7],
      [3n, 1n, 4, 7],
    ]);
  });

  test('needs a queue for a kernel without arrays', async () => {
    const { backend, launches } = fake();
    const kernel = defineKernel({ name: 'none', parameters: { n: 'int32' }, code });
    const error = await rejection(backend.launch(kernel, { range: [1] }, { n: 1 }));
    expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'queue' });
    using queue = backend.createQueue();
    await backend.launch(kernel, { range: [1], queue }, { n: 1 });
    expect(launches.length).toBe(1);
  });

  test('refuses arrays in layouts that the code does not take', async () => {
    const { backend } = fake();
    const kernel = defineKernel({
      name: 'strided',
      parameters: { target: { write: 'int16', strides: 1 } },
      code,
    });
    using bytes = backend.empty([8], 'int8');
    using two = backend.empty([2, 2], 'int16');
    using record = backend.empty(
      [4],
      [
        ['a', 'i2'],
        ['b', 'i1'],
      ],
    );
    const launch = (target: unknown) =>
      rejection(backend.launch(kernel, { range: [1] }, { target } as never));
    expect(await launch(two)).toMatchObject({ code: 'ERR_ARGUMENT', path: 'target' });
    expect(await launch(record.field('a'))).toMatchObject({ code: 'ERR_STRIDE_UNIT' });
    expect(await launch({ ...bytes.descriptor })).toMatchObject({ code: 'ERR_ARGUMENT' });
    const windows = { __array_interface__: windowsOf(two.pointer) };
    expect(await launch(windows)).toMatchObject({ code: 'ERR_SELF_OVERLAP', path: 'target' });
    expect(await launch({})).toMatchObject({ code: 'ERR_ARGUMENT', path: 'target' });
  });

  test('refuses an array of another backend', async () => {
    const { backend } = fake();
    const other = new FakeBackend();
    using foreign = other.empty([5], 'float32');
    const launched = backend.launch(scale, { range: [5] }, { target: foreign, factor: 1 });
    expect(await rejection(launched)).toMatchObject({ code: 'ERR_NOT_ACCESSIBLE', path: 'target' });
  });
});

/** Four numbers of which each begins inside the one before. */
function windowsOf(pointer: bigint): object {
  return { version: 3, shape: [4], typestr: '<i2', data: [pointer, false], strides: [0] };
}

describe('use', () => {
  test('waits before, records after, and keeps the arrays until the promise settles', async () => {
    const { backend, driver } = fake();
    using queue = backend.createQueue();
    const a = backend.empty([5], 'float32');
    using b = backend.empty([5], 'float32');
    driver.log.length = 0;
    let finish = (_value: number) => {};
    const used = backend.use(queue, { reads: [a], writes: [b] }, () => {
      driver.log.push('enqueue');
      return new Promise<number>((resolve) => {
        finish = resolve;
      });
    });
    a[Symbol.dispose]();
    const [first, second] = [a, b].map(
      ({ memory }) => (memory as unknown as { name: string }).name,
    );
    const before = [`made before ${first} ${second}!`, 'within made', 'enqueue'];
    expect(driver.log).toEqual(before);
    expect((a.memory as unknown as { freed: boolean }).freed).toBe(false);
    finish(7);
    expect(await used).toBe(7);
    expect(driver.log).toEqual([...before, `made after ${first} ${second}!`]);
    expect((a.memory as unknown as { freed: boolean }).freed).toBe(true);
  });

  test('records after a function that throws, and then holds nothing', async () => {
    const { backend, driver } = fake();
    using queue = backend.createQueue();
    const array = backend.empty([5], 'float32');
    const used = backend.use(queue, { writes: [array] }, () => {
      throw new Error('on purpose');
    });
    expect(await rejection(used)).toMatchObject({ message: 'on purpose' });
    expect(driver.log.at(-1)).toMatch(/^made after/);
    array[Symbol.dispose]();
    expect(driver.live.size).toBe(0);
  });

  test('calls nothing if an array is not ours, or out of reach', async () => {
    const { backend, driver } = fake();
    using queue = backend.createQueue();
    using foreign = new FakeBackend().empty([5], 'float32');
    using own = backend.empty([5], 'float32');
    const never = () => expect.unreachable();
    const refused = await rejection(backend.use(queue, { reads: [own, foreign] }, never));
    expect(refused).toMatchObject({ code: 'ERR_NOT_ACCESSIBLE', path: 'reads[1]' });
    driver.reach = () => 'no';
    const far = await rejection(backend.use(queue, { reads: [own] }, never));
    expect(far).toMatchObject({ code: 'ERR_ARGUMENT', path: 'queue' });
  });

  test('calls nothing for an array that it cannot use as asked, or without a function', async () => {
    const { backend, driver } = fake();
    using queue = backend.createQueue();
    using array = backend.empty([5], 'float32');
    const { pointer } = array;
    const never = () => expect.unreachable();
    const frozen = array.broadcastTo([2, 5]);
    expect(await rejection(backend.use(queue, { writes: [frozen] }, never))).toMatchObject({
      ...{ code: 'ERR_READ_ONLY', path: 'writes[0]' },
    });
    const mask = { version: 3, shape: [5], typestr: '|b1', data: [pointer, false] };
    const dict = { version: 3, shape: [5], typestr: '<f4', data: [pointer, false], mask };
    const masked = {
      __cuda_array_interface__: { ...dict, mask: { __cuda_array_interface__: mask } },
    };
    expect(await rejection(backend.use(queue, { reads: [masked] }, never))).toMatchObject({
      ...{ code: 'ERR_MASK', path: 'reads[0]' },
    });
    driver.log.length = 0;
    const none = backend.use(queue, { reads: [array] }, 5 as never);
    expect(await rejection(none)).toMatchObject({ code: 'ERR_ARGUMENT', path: 'enqueue' });
    expect(driver.log).toEqual([]);
    await backend.use(queue, { reads: [frozen] }, () => {});
  });

  test('keeps a queue that the function disposes of until its work is recorded', async () => {
    const { backend, driver } = fake();
    const queue = backend.createQueue();
    using array = backend.empty([5], 'float32');
    await backend.use(queue, { writes: [array] }, () => queue[Symbol.dispose]());
    const [after, end] = driver.log.slice(-2);
    expect(after).toMatch(/^made after /);
    expect(end).toBe('made ends');
  });

  test('recordUse tells the memory', () => {
    const { backend, driver } = fake();
    using queue = backend.createQueue();
    using array = backend.empty([5], 'float32');
    array.recordUse(queue);
    expect(driver.log.at(-1)).toMatch(/^made uses /);
  });
});
