import { describe, expect, test } from 'vitest';
import { type InterposerOptions, runWithInterposer } from './interposer.js';

/** For the programs: what they call by short names. */
const PRELUDE = `
  const dpctl = (name, ...words) => interposer.call('DPCTL' + name, ...words);
  const dpctlLater = (name, ...words) => interposer.callLater('DPCTL' + name, ...words);
  const IN_ORDER = 2n, ALL = ((1n << 5n) - 1n) << 16n | ((1n << 6n) - 1n);
  const list = dpctl('DeviceMgr_GetDevices', ALL);
  const devices = [];
  for (let i = 0n; i < dpctl('DeviceVector_Size', list); i++) devices.push(dpctl('DeviceVector_GetAt', list, i));
  const [device, second = device] = devices;
  const context = dpctl('DeviceMgr_GetCachedContext', device);
  const queueOn = (which = device, order = IN_ORDER) => dpctl('Queue_Create', context, which, 0n, order);
  const allocate = (queue, size = 64, type = 'device') => dpctl('malloc_' + type, size, queue);
  const copy = (queue, to, from, size = 64) => dpctl('Queue_Memcpy', queue, to, from, size);
  const fill = (queue, to, value, size = 64) => dpctl('Queue_Memset', queue, to, value, size);
  const free = (pointer) => dpctl('free_with_context', pointer, context);
  /** A bool, of which only the lowest byte is set. */
  const is = (word) => (word & 0xffn) !== 0n;
  const areSame = (one, other) => is(dpctl('Device_AreEq', one, other));
  const status = (event) => Number(BigInt.asIntN(32, dpctl('Event_GetCommandExecutionStatus', event)));
  const finish = (event) => { dpctl('Event_Wait', event); dpctl('Event_Delete', event); };
  const words = (...values) => BigUint64Array.from(values);
  const at = (array) => probe.address(array.buffer);
  const bytes = (queue, pointer, size = 64) => {
    const read = new Uint8Array(size);
    finish(copy(queue, at(read), pointer, size));
    return read;
  };
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const done = (answer) => console.log(JSON.stringify(answer));
`;

/** What a program passes to `done`, if it prints nothing else. */
async function answerOf(program: string, options: InterposerOptions = {}): Promise<unknown> {
  const { status, stdout, stderr } = await runWithInterposer(PRELUDE + program, options);
  expect({ status, stderr: stderr.replace(/^interposer: fault: .*$\n?/gm, '') }).toEqual({
    status: 0,
    stderr: '',
  });
  return JSON.parse(stdout.split('\n').at(-1) ?? '');
}

describe('one device listed as two', () => {
  const options = { devices: 2 } as const;

  test('is two devices in one context', async () => {
    const program = `
      const ids = devices.map((one) => Number(dpctl('DeviceMgr_GetRelativeId', one)));
      const hashes = new Set(devices.map((one) => dpctl('Device_Hash', one)));
      const other = dpctl('DeviceMgr_GetCachedContext', second);
      const both = dpctl('Context_GetDevices', context);
      const members = [0n, 1n].map((i) => dpctl('DeviceVector_GetAt', both, i));
      const selected = (text) => dpctl('Device_CreateFromSelector', dpctl('FilterSelector_Create', text));
      done({ ids, hashes: hashes.size, same: areSame(device, second), itself: areSame(device, dpctl('Device_Copy', device)),
        contexts: is(dpctl('Context_AreEq', context, other)),
        members: members.map((one, i) => areSame(one, devices[i])),
        selected: ['opencl:cpu:0', 'opencl:cpu', 'opencl:cpu:1', 'cpu:1'].map((text) => devices.findIndex((one) => areSame(one, selected(text)))),
        none: Number(selected('opencl:cpu:2')) });`;
    expect(await answerOf(program, options)).toEqual({
      ids: [0, 1],
      hashes: 2,
      same: false,
      itself: true,
      contexts: true,
      members: [true, true],
      selected: [0, 0, 1, 1],
      none: 0,
    });
  });

  test('reports the device of a queue, a context, memory and a part', async () => {
    const program = `
      const whose = (one) => devices.findIndex((listed) => areSame(listed, one));
      const answer = devices.map((one) => {
        const queue = queueOn(one);
        const own = dpctl('Context_Create', one, 0n, 0n);
        const list = dpctl('Context_GetDevices', own);
        const parts = dpctl('Device_CreateSubDevicesEqually', one, 1n);
        const part = dpctl('DeviceVector_GetAt', parts, 0n);
        const inside = dpctl('Context_Create', part, 0n, 0n);
        const onPart = dpctl('Queue_Create', inside, part, 0n, IN_ORDER);
        return {
          queue: whose(dpctl('Queue_GetDevice', dpctl('Queue_Copy', queue))),
          context: [Number(dpctl('DeviceVector_Size', list)), whose(dpctl('DeviceVector_GetAt', list, 0n))],
          memory: ['device', 'shared', 'host'].map((type) =>
            whose(dpctl('USM_GetPointerDevice', allocate(queue, 64, type) + 8n, context))),
          part: [whose(dpctl('Device_GetParentDevice', part)), whose(dpctl('Device_GetParentDevice', dpctl('Queue_GetDevice', onPart)))],
          isPart: whose(part),
        };
      });
      done(answer);`;
    const expected = (index: number) => ({
      queue: index,
      context: [1, index],
      memory: [index, index, 0],
      part: [index, index],
      isPart: -1,
    });
    expect(await answerOf(program, options)).toEqual([expected(0), expected(1)]);
  });

  const KERNEL = `
    const source = 'kernel void f(global int* p) { p[get_global_id(0)] = 7; }';
    const bundle = dpctl('KernelBundle_CreateFromOCLSource', context, device, source, '');
    const kernel = dpctl('KernelBundle_GetKernel', bundle, 'f');
    const run = (queue, pointer) => dpctl('Queue_SubmitRange', kernel, queue, at(words(pointer)),
      at(Int32Array.of(10)), 1n, at(words(16n)), 1n, 0n, 0n);`;

  test('a kernel on one that uses the other’s memory is a fault', async () => {
    const program = `${KERNEL}
      const queues = devices.map((one) => queueOn(one));
      const foreign = allocate(queues[1]);
      finish(run(queues[1], foreign));
      finish(run(queues[0], allocate(queues[1], 64, 'shared')));
      finish(copy(queues[0], allocate(queues[0]), foreign));
      const before = interposer.faults();
      finish(run(queues[0], foreign + 4n));
      done({ before, after: interposer.faults().map((text) => text.replace(/0x.*/, '')) });`;
    const fault = expect.stringMatching(
      /^command \d+ \(run on queue 1\) reached across devices, to $/,
    );
    expect(await answerOf(program, options)).toEqual({ before: [], after: [fault] });
  });

  test('but not between peers, once that is enabled', async () => {
    const program = `${KERNEL}
      const queues = devices.map((one) => queueOn(one));
      const can = is(dpctl('Device_CanAccessPeer', device, second, 0n));
      dpctl('Device_EnablePeerAccess', device, second);
      finish(run(queues[0], allocate(queues[1])));
      done({ can, faults: interposer.faults().length });`;
    expect(await answerOf(program, { ...options, arePeers: true })).toEqual({
      can: true,
      faults: 0,
    });
    expect(await answerOf(program, options)).toEqual({ can: false, faults: 1 });
  });
});

test('counts allocations and frees', async () => {
  const program = `
    const start = interposer.live();
    const queue = queueOn();
    const blocks = ['device', 'shared', 'host'].map((type) => allocate(queue, 100, type));
    const event = fill(queue, blocks[1], 1);
    const during = interposer.live();
    finish(event);
    blocks.forEach(free);
    dpctl('Queue_Delete', queue);
    const name = dpctl('Device_GetName', device);
    const texts = interposer.live().texts;
    dpctl('CString_Delete', name);
    const end = interposer.live();
    dpctl('Context_Delete', context);
    dpctl('Device_Delete', device);
    dpctl('DeviceVector_Delete', list);
    done({ start, during, texts, isBack: JSON.stringify(start) === JSON.stringify(end), end: interposer.live(), faults: interposer.faults() });`;
  const none = { blocks: 0, bytes: 0 };
  const one = { blocks: 1, bytes: 100 };
  const references = {
    selectors: 0,
    bundles: 0,
    kernels: 0,
    texts: 0,
    structs: 0,
    events: 0,
    queues: 0,
  };
  const memory = { device: none, shared: none, host: none };
  const start = { ...references, devices: 1, vectors: 1, contexts: 1, ...memory };
  expect(await answerOf(program)).toEqual({
    start,
    during: { ...start, queues: 1, events: 1, device: one, shared: one, host: one },
    texts: 1,
    isBack: true,
    end: { ...start, devices: 0, vectors: 0, contexts: 0 },
    faults: [],
  });
});

test('deleting or freeing twice is a fault, and does no harm', async () => {
  const program = `
    const queue = queueOn();
    const pointer = allocate(queue);
    const event = fill(queue, pointer, 1);
    finish(event);
    dpctl('Event_Delete', event);
    const late = status(event);
    dpctl('Queue_Delete', queue);
    dpctl('Queue_Delete', queue);
    interposer.setKeepsFreed(true);
    free(pointer);
    free(pointer);
    const again = queueOn();
    finish(fill(again, pointer + 8n, 1, 8));
    done({ late, faults: interposer.faults().map((text) => text.replace(/0x[0-9a-f]+/g, 'P')) });`;
  expect(await answerOf(program)).toEqual({
    late: 0,
    faults: [
      'P, one of the events, was deleted twice',
      'an event that was deleted is used',
      'P, one of the queues, was deleted twice',
      'P was freed twice',
      expect.stringMatching(/^command \d+ \(fill on queue 2\) uses P, which was freed$/),
    ],
  });
});

describe('allocations fail', () => {
  test('by their number', async () => {
    const program = `
      const queue = queueOn();
      const three = () => [1, 2, 3].map(() => allocate(queue) !== 0n);
      interposer.refuse(2);
      const one = three();
      interposer.refuse(1, 2);
      done([one, three(), three(), interposer.live().device.blocks]);`;
    const all = [true, true, true];
    expect(await answerOf(program)).toEqual([[true, false, true], [false, false, true], all, 6]);
  });

  test('beyond the bytes of a device', async () => {
    const program = `
      const queues = devices.map((one) => queueOn(one));
      const first = allocate(queues[0], 600);
      const got = [allocate(queues[0], 600, 'shared'), allocate(queues[1], 600), allocate(queues[0], 600, 'host')];
      free(first);
      done([...got, allocate(queues[0], 1000), allocate(queues[1], 401)].map((pointer) => pointer !== 0n));`;
    const options = { devices: 2, limit: 1000 } as const;
    expect(await answerOf(program, options)).toEqual([false, true, true, true, false]);
  });
});

describe.each(['eager', 'lazy', 'random:5'])('%s:', (schedule) => {
  test('freeing memory before its last command has ended is a fault, afterwards not', async () => {
    const program = `
      const queue = queueOn(), other = queueOn();
      const [early, late] = [allocate(queue), allocate(queue)];
      interposer.hold(other);
      const event = copy(other, early, late);
      finish(fill(queue, late, 1));
      free(early);
      const faults = interposer.faults().map((text) => text.replace(/0x[0-9a-f]+/g, 'P'));
      interposer.release(other);
      finish(event);
      free(late);
      done({ faults, after: interposer.faults().length, type: Number(dpctl('USM_GetPointerType', early, context) & 0xffn) });`;
    expect(await answerOf(program, { schedule })).toEqual({
      faults: [
        expect.stringMatching(
          /^P was freed before command 1 \(copy on queue 2\), which uses it, had ended$/,
        ),
      ],
      after: 1,
      type: 0,
    });
  });

  test('commands run in order, also across queues', async () => {
    const program = `
      const queues = [queueOn(), queueOn(), queueOn(device, 0n)];
      const p = allocate(queues[0], 64, 'shared');
      const wrong = [];
      for (let i = 0; i < 100; i++) {
        let last = fill(queues[i % 3], p, i);
        for (let hop = 1; hop < 4; hop++) {
          const queue = queues[(i + hop) % 3];
          const barrier = dpctl('Queue_SubmitBarrierForEvents', queue, at(words(last)), 1n);
          dpctl('Event_Delete', last);
          dpctl('Event_Delete', barrier);
          last = fill(queue, p, i + hop);
        }
        finish(last);
        const got = bytes(queues[i % 3], p)[63];
        if (got !== i + 3) wrong.push([i, got]);
      }
      free(p);
      queues.forEach((queue) => { dpctl('Queue_Wait', queue); dpctl('Queue_Delete', queue); });
      done({ wrong, faults: interposer.faults(), queues: interposer.live().queues, events: interposer.live().events });`;
    const expected = { wrong: [], faults: [], queues: 0, events: 0 };
    expect(await answerOf(program, { schedule })).toEqual(expected);
  });

  test('a held queue and what depends on it stop, others go on', async () => {
    const program = `
      const [held, behind, idle] = [queueOn(), queueOn(), queueOn()];
      const [p, q] = [allocate(idle), allocate(idle)];
      finish(fill(idle, p, 1));
      interposer.hold(held);
      const event = fill(held, p, 2);
      const barrier = dpctl('Queue_SubmitBarrierForEvents', behind, at(words(event)), 1n);
      const copied = copy(behind, q, p);
      const own = fill(idle, q, 3);
      finish(own);
      let isOver = false;
      const waiting = dpctlLater('Event_WaitAndThrow', copied).then(() => { isOver = true; });
      const draining = dpctlLater('Queue_Wait', held);
      await pause(50);
      for (let i = 0; i < 50; i++) status(event);
      const during = { isOver, states: [event, barrier, copied].map(status), p: bytes(idle, p)[0] };
      interposer.release(held);
      await Promise.all([waiting, draining]);
      done({ during, after: status(copied), p: bytes(idle, p)[0], q: bytes(idle, q)[0] });`;
    const during = { isOver: false, states: [1, 1, 1], p: 1 };
    expect(await answerOf(program, { schedule })).toEqual({ during, after: 3, p: 2, q: 2 });
  });

  test('a free that blocks waits for all queues', async () => {
    const program = `
      const [held, idle] = [queueOn(), queueOn()];
      const [p, q] = [allocate(idle), allocate(idle)];
      interposer.hold(held);
      const event = fill(held, p, 2);
      interposer.setBlockingFree(true);
      let isFreed = false;
      const freeing = dpctlLater('free_with_context', q, context).then(() => { isFreed = true; });
      await pause(50);
      const during = isFreed;
      finish(fill(idle, p, 1)); // not behind it
      interposer.release(held);
      await freeing;
      done({ during, after: isFreed, status: status(event), faults: interposer.faults() });`;
    const expected = { during: false, after: true, status: 3, faults: [] };
    expect(await answerOf(program, { schedule })).toEqual(expected);
  });
});

describe('lazy:', () => {
  const options = { schedule: 'lazy' };

  test('a missing wait between queues gives a wrong value every time', async () => {
    const program = `
      const [one, other] = [queueOn(), queueOn()];
      const p = allocate(one, 64, 'shared');
      let wrong = 0;
      for (let i = 1; i <= 20; i++) {
        const event = fill(one, p, i);
        if (bytes(other, p)[0] !== i) wrong++;
        finish(event);
        if (bytes(other, p)[0] !== i) wrong += 100;
      }
      done(wrong);`;
    expect(await answerOf(program, options)).toBe(20);
  });

  test('a command begins when its state was queried often enough', async () => {
    const program = `
      const queue = queueOn();
      const event = fill(queue, allocate(queue), 1);
      const states = [1, 2, 3].map(() => status(event));
      while (status(event) !== 3) await pause(1);
      done([states, interposer.log().map((entry) => entry.what)]);`;
    expect(await answerOf(program, { ...options, looks: 4 })).toEqual([
      [1, 1, 1],
      ['create queue', 'allocate', 'fill', 'submit', 'complete'],
    ]);
  });

  test('references may be released before the command that needs them', async () => {
    const program = `
      const source = 'kernel void f(global int* p, int by) { p[get_global_id(0)] = by; }';
      const bundle = dpctl('KernelBundle_CreateFromOCLSource', context, device, source, '');
      const kernel = dpctl('KernelBundle_GetKernel', bundle, 'f');
      const queue = queueOn(), other = queueOn();
      const p = allocate(queue, 64, 'shared');
      const by = Int32Array.of(7);
      const event = dpctl('Queue_SubmitRange', kernel, queue, at(words(p, at(by))), at(Int32Array.of(10, 4)), 2n,
        at(words(16n)), 1n, 0n, 0n);
      by[0] = 8;
      const barrier = dpctl('Queue_SubmitBarrierForEvents', other, at(words(event)), 1n);
      dpctl('Event_Delete', event);
      dpctl('Kernel_Delete', kernel);
      dpctl('KernelBundle_Delete', bundle);
      dpctl('Queue_Delete', queue);
      finish(barrier);
      done([...new Int32Array(bytes(other, p).buffer)]);`;
    expect(await answerOf(program, options)).toEqual(Array(16).fill(7));
  });
});

test('a held device holds its queues and no others', async () => {
  const program = `
    const queues = devices.map((one) => queueOn(one));
    const blocks = queues.map((queue) => allocate(queue));
    interposer.holdDevice(1);
    const events = queues.map((queue, i) => fill(queue, blocks[i], 1));
    dpctl('Event_Wait', events[0]);
    const during = events.map(status);
    interposer.releaseDevice(1);
    dpctl('Event_Wait', events[1]);
    done([during, events.map(status)]);`;
  expect(await answerOf(program, { devices: 2 })).toEqual([
    [3, 1],
    [3, 3],
  ]);
});

describe('calls that are planned to fail', () => {
  const WORK = `
    const { sycl } = await import('@array-interface/sycl');
    const array = sycl.empty([8], 'uint8');
    const codes = async (count) => {
      const found = [];
      for (let i = 0; i < count; i++) {
        found.push(await sycl.copy(array, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)).then(() => 'done', ({ call }) => call));
      }
      return found;
    };`;

  test('one, several, by an exception, and none any more', async () => {
    const program = `${WORK}
      await codes(1);
      interposer.fail('Queue_Memcpy:2');
      const one = await codes(3);
      interposer.fail('');
      interposer.fail('Queue_Memcpy:1-2:throw');
      const several = await codes(3);
      interposer.fail('Queue_Memcpy:*');
      const all = await codes(2);
      interposer.fail('');
      const failed = Number(interposer.call('Interposer_Failed', 'Queue_Memcpy'));
      done({ one, several, all, none: await codes(1), failed });`;
    const call = 'DPCTLQueue_Memcpy';
    expect(await answerOf(program)).toEqual({
      one: ['done', call, 'done'],
      several: [call, call, 'done'],
      all: [call, call],
      none: ['done'],
      failed: 5,
    });
  });

  test("another library's calls do not, and a senseless plan is refused", async () => {
    const program = `
      interposer.fail('Queue_Create:*,Queue_Memset:1');
      const queue = queueOn();
      const event = fill(queue, allocate(queue), 1);
      const refused = ['Queue_Create', 'Queue_Create:0', 'Queue_Create:3-2', 'Queue_Create:1:loudly'].map((plan) => {
        try { interposer.fail(plan); } catch { return true; }
      });
      done([queue !== 0n, event !== 0n, refused]);`;
    expect(await answerOf(program)).toEqual([true, true, [true, true, true, true]]);
  });

  test('by the environment', async () => {
    const env = { ARRAY_INTERFACE_INTERPOSER_FAIL: 'Queue_Memcpy:1' };
    const program = `${WORK} done(await codes(2));`;
    expect(await answerOf(program, { env })).toEqual(['DPCTLQueue_Memcpy', 'done']);
  });
});
