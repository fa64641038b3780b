import cluster from 'node:cluster';
import { once } from 'node:events';
import { truncateSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CudaArray, cuda, liveAllocations, type Ticket } from '@array-interface/cuda';
import { errorWithoutFiles } from '@array-interface/foreign';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addon } from '../../src/addon.js';
import { forProcesses } from '../support/for-processes.js';
import { hold } from '../support/hold.js';
import { OtherProcess } from '../support/other-process.js';
import { probe } from '../support/probe.js';
import { foreignProducer } from '../support/producer.js';
import { refused } from '../support/refused.js';

const VALUES = Float32Array.from({ length: 24 }, (_, i) => i);
const OPEN = 'state.array = cuda.openShared(value);';
const READ = 'return [...await cuda.toTypedArray(state.array)].map(Number);';
const RELEASE = 'state.array[Symbol.dispose](); await cuda.synchronize();';

async function gone(left = 0): Promise<void> {
  await cuda.synchronize();
  await vi.waitFor(() => expect(liveAllocations()).toBe(left), { timeout: 100_000 });
}

afterEach(() => gone());

test.each<[unknown, string]>([
  [null, 'got null; pass an array'],
  [{}, 'copy it with cuda.array()'],
  [new Float32Array(3), 'got JavaScript memory; make an array of it with await cuda.array(data)'],
  ['array', 'copy it with cuda.array()'],
])('%o is not a CUDA array', async (value, text) => {
  const error = await refused(() => cuda.share(value as never), 'ERR_TICKET');
  expect(error).toMatchObject({ path: 'array', reason: expect.stringContaining(text) });
});

describe('sharing between processes', () => {
  test('the other process reads, in place, what is pending here', async () => {
    await using other = new OtherProcess();
    using stream = cuda.createStream();
    using array = await cuda.array(VALUES, { queue: stream });
    void cuda.fill(array, 7, { queue: stream });
    const ticket = forProcesses(array);
    expect(await other.run<number[]>(`${OPEN} ${READ}`, ticket)).toEqual(Array(24).fill(7));
    await cuda.fill(array, 8);
    expect(await other.run<number[]>(READ)).toEqual(Array(24).fill(8));
  });

  test('work that recordUse names is added to work pending elsewhere', async () => {
    await using other = new OtherProcess();
    using busy = cuda.createStream();
    using idle = cuda.createStream();
    using array = await cuda.array(VALUES);
    await other.run(OPEN, forProcesses(array));
    void cuda.fill(array, 7, { queue: busy });
    array.recordUse(idle);
    expect(await other.run<number[]>(READ)).toEqual(Array(24).fill(7));
  });

  test('a later ticket also includes what a consumer put on an exported stream', async () => {
    await using other = new OtherProcess();
    using queue = cuda.createStream();
    using array = await cuda.array(VALUES, { queue });
    await other.run(OPEN, forProcesses(array));
    using held = hold(queue);
    void cuda.fill(array, 1, { queue });
    const { stream } = array.__cuda_array_interface__;
    using exported = cuda.stream(stream as bigint);
    using consumed = cuda.asArray(foreignProducer(array, null), { sync: 'none' });
    void cuda.fill(consumed, 2, { queue: exported });
    forProcesses(array);
    held[Symbol.dispose]();
    expect(await other.run<number[]>(READ)).toEqual(Array(24).fill(2));
  });

  test('work that it enqueues is waited for here, and vice versa', async () => {
    await using other = new OtherProcess();
    using array = await cuda.array(VALUES);
    await other.run(`${OPEN} void cuda.fill(state.array, 5);`, forProcesses(array));
    expect(await cuda.toTypedArray(array)).toEqual(new Float32Array(24).fill(5));
    for (let i = 0; i < 5; i++) {
      void cuda.fill(array, i);
      const found = await other.run<
        number[]
      >(`const all = [...await cuda.toTypedArray(state.array)];
        void cuda.fill(state.array, -1); return all;`);
      expect(found).toEqual(Array(24).fill(i));
      expect(await cuda.toTypedArray(array)).toEqual(new Float32Array(24).fill(-1));
    }
  });

  test('several processes have it open, and see one another’s work', async () => {
    await using one = new OtherProcess();
    await using two = new OtherProcess();
    using array = await cuda.array(new Uint8Array(64));
    const ticket = forProcesses(array);
    for (const other of [one, two]) await other.run(OPEN, ticket);
    for (let i = 1; i < 6; i++) {
      const other = i % 2 === 0 ? one : two;
      await other.run('void cuda.fill(state.array, value);', i);
      const peer = other === one ? two : one;
      expect(new Set(await peer.run<number[]>(READ))).toEqual(new Set([i]));
    }
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(64).fill(5));
  });

  test('works in any layout: views, records, read-only, no elements', async () => {
    await using other = new OtherProcess();
    using array = await cuda.array(VALUES);
    using square = cuda.empty([4, 6], 'float32');
    using nothing = cuda.empty([0, 3], 'int16');
    await cuda.copy(square, asProducer([4, 6]));
    const turned = square.permuteDims([1, 0]);
    const views: CudaArray[] = [
      array.flip(),
      array.slice([[2, 20, 3]]),
      turned.slice([[1, 3]]),
      nothing,
    ];
    for (const view of views) {
      const expected = { shape: [...view.shape], strides: [...view.byteStrides] };
      const found = await other.run(
        `const array = cuda.openShared(value);
        return { shape: array.shape, strides: array.byteStrides };`,
        forProcesses(view),
      );
      expect(found).toEqual(expected);
      const values = await other.run(`${OPEN} ${READ}`, forProcesses(view));
      expect(values).toEqual([...(await cuda.toTypedArray(view))]);
      await other.run(RELEASE);
    }
    const fixed = array.broadcastTo([1, 24]);
    const refusal = await other.refusal(
      `${OPEN} await cuda.fill(state.array, 1);`,
      forProcesses(fixed),
    );
    expect(refusal.code).toBe('ERR_READ_ONLY');
  });

  test('works by messages of node:cluster', async () => {
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('cluster-opener.mjs', import.meta.url)),
      execArgv: [],
    });
    using array = await cuda.array(VALUES);
    const worker = cluster.fork();
    await once(worker, 'message'); // that it listens
    worker.send(forProcesses(array));
    const [values] = await once(worker, 'message');
    expect(values).toEqual([...VALUES]);
    expect(await cuda.toTypedArray(array)).toEqual(new Float32Array(24).fill(9));
    worker.process.kill('SIGKILL');
    await once(worker, 'exit');
  });

  test('a ticket is small and plain', async () => {
    using array = await cuda.array(VALUES);
    const ticket = forProcesses(array);
    expect(JSON.parse(JSON.stringify(ticket))).toEqual(ticket);
    expect(structuredClone(ticket)).toEqual(ticket);
    expect(JSON.stringify(ticket).length).toBeLessThan(1024);
    expect(forProcesses(array)).toEqual(ticket);
  });

  test('tens of thousands of views of an array are shared; a million and more are refused', async () => {
    await using other = new OtherProcess();
    using array = await cuda.array(VALUES);
    const { writeLease } = addon();
    const write = vi.spyOn(addon(), 'writeLease');
    const others = (bytes: number) =>
      write.mockImplementationOnce((lease, text) => writeLease(lease, text + '0'.repeat(bytes)));
    try {
      others(2 << 20);
      expect(await other.run(`${OPEN} ${READ}`, forProcesses(array))).toEqual([...VALUES]);
      others((62 << 20) - 200); // room for one more
      const view = array.slice([[1, 3]]);
      forProcesses(view);
      const more = array.slice([[2, 3]]);
      const error = await refused(() => forProcesses(more), 'ERR_TICKET');
      expect(error.message).toContain('fewer views');
    } finally {
      write.mockRestore();
    }
  });

  test('the memory is kept until every opener has released it', async () => {
    await using one = new OtherProcess();
    await using two = new OtherProcess();
    const array = await cuda.array(VALUES);
    const ticket = forProcesses(array);
    for (const other of [one, two]) await other.run(OPEN, ticket);
    array[Symbol.dispose]();
    await one.run(RELEASE);
    await gone(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(liveAllocations()).toBe(1);
    expect(await two.run(READ)).toEqual([...VALUES]);
    await two.run(RELEASE);
    await gone();
  });

  test('and while its ticket is valid', async () => {
    await using other = new OtherProcess();
    const array = await cuda.array(VALUES);
    const ticket = cuda.share(array);
    array[Symbol.dispose]();
    expect(await other.run(`${OPEN} ${READ}`, ticket)).toEqual([...VALUES]);
    await other.run(RELEASE);
    await gone(1);
    ticket[Symbol.dispose]();
    await gone();
    expect((await other.refusal(OPEN, ticket)).message).toContain('stale');
  });

  test('and while a loan of it is used, also if it was opened twice', async () => {
    await using sharer = new OtherProcess();
    const ticket = await sharer.run<Ticket>(
      `state.array = await cuda.array(Uint8Array.of(1, 2, 3));
      await state.array.synchronize();
      return forProcesses(state.array);`,
    );
    const one = cuda.openShared(ticket);
    const two = cuda.openShared(ticket);
    expect(two.pointer).toBe(one.pointer);
    two[Symbol.dispose]();
    await gone(1);
    const loan = cuda.asArray(foreignProducer(one, null));
    one[Symbol.dispose]();
    expect(await cuda.toTypedArray(loan)).toEqual(Uint8Array.of(1, 2, 3));
    await gone(1);
    loan[Symbol.dispose]();
    await gone();
  });

  test('or died', async () => {
    await using other = new OtherProcess();
    const array = await cuda.array(VALUES);
    await other.run(`${OPEN} void cuda.fill(state.array, 1);`, forProcesses(array));
    array[Symbol.dispose]();
    await gone(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(liveAllocations()).toBe(1);
    await other.kill();
    await gone();
  });

  test('a thread that shared it may end before its openers', async () => {
    await using sharer = new OtherProcess();
    const ticket = await sharer.run<Ticket>(
      `const { Worker } = await import('node:worker_threads');
      const worker = new Worker(\`
        import { parentPort } from 'node:worker_threads';
        import { cuda } from '@array-interface/cuda';
        const array = await cuda.array(Uint8Array.of(1, 2, 3));
        parentPort.once('message', () => process.exit());
        const ticket = cuda.share(array);
        parentPort.postMessage(ticket);
        ticket[Symbol.dispose]();\`, { eval: true });
      state.worker = worker;
      return await new Promise((resolve) => worker.once('message', resolve));`,
    );
    using array = cuda.openShared(ticket);
    const kept = await sharer.run(`state.worker.postMessage('end');
      await new Promise((resolve) => state.worker.once('exit', resolve));
      return liveAllocations();`);
    expect(kept).toBe(1);
    expect(await cuda.toTypedArray(array)).toEqual(Uint8Array.of(1, 2, 3));
    await cuda.fill(array, 4);
    expect(await cuda.toTypedArray(array)).toEqual(new Uint8Array(3).fill(4));
  });

  test('an opener outlives its sharer without a crash', async () => {
    await using sharer = new OtherProcess();
    const ticket = await sharer.run<Ticket>(
      'state.array = await cuda.array(Uint8Array.of(1, 2, 3)); return forProcesses(state.array);',
    );
    using array = cuda.openShared(ticket);
    expect(await cuda.toTypedArray(array)).toEqual(Uint8Array.of(1, 2, 3));
    await sharer.run('void cuda.fill(state.array, 9);');
    await sharer.kill();
    await array.synchronize(); // for no work of the dead
    const late = await refused(() => cuda.openShared(ticket), 'ERR_TICKET');
    expect(late.message).toContain('stale');
  });
});

describe('a ticket is refused', () => {
  test('if this process can open no more files, and is valid afterwards', async () => {
    await using sharer = new OtherProcess();
    const ticket = await sharer.run<Ticket>(
      'state.array = await cuda.array(Uint8Array.of(1, 2, 3)); return forProcesses(state.array);',
    );
    (await cuda.array(VALUES))[Symbol.dispose](); // the addon is loaded
    const error = errorWithoutFiles(() => cuda.openShared(ticket));
    const message = expect.stringContaining('close files, or raise `ulimit -n`');
    expect(error).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease', message });
    using array = cuda.openShared(ticket);
    expect(array.shape).toEqual([3]);
  });

  test('if its memory was freed', async () => {
    await using other = new OtherProcess();
    const array = await cuda.array(VALUES);
    const ticket = forProcesses(array);
    array[Symbol.dispose]();
    await gone();
    const refusal = await other.refusal(OPEN, ticket);
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(refusal.message).toContain('stale');
  });

  test('if another lease has its place, as in a new process with the same number', async () => {
    await using other = new OtherProcess();
    const first = await cuda.array(VALUES);
    const old = forProcesses(first);
    first[Symbol.dispose]();
    await gone();
    const { writeLease } = addon();
    const write = vi.spyOn(addon(), 'writeLease');
    // Whatever the new process shares, be it the same but for the nonce.
    write.mockImplementation((lease, text) => writeLease(lease, text + old.digest));
    // Until the system returns the same descriptor again, which another file may have for a while.
    const arrays = [await cuda.array(VALUES)];
    let ticket = forProcesses(arrays[0] as CudaArray);
    for (let i = 0; i < 50 && ticket.lease !== old.lease; i++) {
      const array = await cuda.array(VALUES);
      arrays.push(array);
      ticket = forProcesses(array);
    }
    write.mockRestore();
    expect(ticket.lease).toBe(old.lease);
    const refusal = await other.refusal(OPEN, old);
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(refusal.message).toContain('stale');
    expect(await other.run(`${OPEN} ${READ}`, ticket)).toEqual([...VALUES]);
    for (const array of arrays) array[Symbol.dispose]();
  });

  test('in its own process, once it was opened or disposed', async () => {
    using array = await cuda.array(VALUES);
    const error = await refused(() => cuda.openShared(forProcesses(array)), 'ERR_TICKET');
    expect(error).toMatchObject({
      path: 'ticket.thread',
      message: expect.stringContaining('once'),
    });
    const ticket = cuda.share(array);
    cuda.openShared({ ...ticket })[Symbol.dispose]();
    await refused(() => cuda.openShared(ticket), 'ERR_TICKET');
  });

  test('if it is altered in any field, or sealed by somebody else', async () => {
    await using other = new OtherProcess();
    using array = await cuda.array(VALUES);
    const ticket = forProcesses(array);
    const changes: Partial<Record<keyof Ticket, unknown>> = {
      kind: 'array-interface/sycl',
      version: 2,
      lease: ticket.lease.replace(/\d+$/, '0'),
      nonce: 'f'.repeat(32),
      device: 'f'.repeat(32),
      memory: 'f'.repeat(128),
      ready: 'f'.repeat(128),
      back: ticket.ready,
      byteLength: 1 << 20,
      offset: 4,
      shape: [1 << 20],
      byteStrides: [8],
      typestr: '<f8',
      descr: [['x', '<f4']],
      readOnly: true,
      digest: '0'.repeat(64),
    };
    expect(Object.keys(changes)).toEqual(Object.keys(ticket));
    for (const [field, value] of Object.entries(changes)) {
      const refusal = await other.refusal(OPEN, { ...ticket, [field]: value });
      expect(refusal.code, field).toBe('ERR_TICKET');
    }
    for (const value of [null, 'x', 7, [], {}, { ...ticket, lease: '/etc/passwd' }]) {
      expect((await other.refusal(OPEN, value)).code).toBe('ERR_TICKET');
    }
    expect(await other.run(`${OPEN} ${READ}`, ticket)).toEqual([...VALUES]);
  });

  test('if it is forged with its own digest', async () => {
    await using other = new OtherProcess();
    using array = await cuda.array(VALUES);
    const ticket = forProcesses(array);
    const forge = `
      const { createHash } = await import('node:crypto');
      const { digest, ...body } = { ...value, shape: [6], byteStrides: [4] };
      const sealed = createHash('sha256').update(JSON.stringify(Object.values(body))).digest('hex');
      cuda.openShared({ ...body, digest: sealed });`;
    const refusal = await other.refusal(forge, ticket);
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.digest' });
    expect(refusal.message).toContain('forged');
  });
});

describe('memory that cannot be shared', () => {
  test('of some kinds is opened only by threads', async () => {
    await using other = new OtherProcess();
    using pool = cuda.createPool();
    using device = cuda.empty([4], 'uint8');
    const arrays = [
      cuda.empty([4], 'uint8', { memoryKind: 'shared' }),
      cuda.empty([4], 'uint8', { memoryKind: 'host' }),
      cuda.empty([4], 'uint8', { pool }),
      cuda.asArray(device),
    ];
    for (const array of arrays) {
      await cuda.fill(array, 5);
      using ticket = cuda.share(array);
      const refusal = await other.refusal(OPEN, ticket);
      expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.thread' });
      expect(refusal.message).toContain('CUDA device memory');
      array[Symbol.dispose]();
      using opened = cuda.openShared({ ...ticket });
      expect(await cuda.toTypedArray(opened)).toEqual(new Uint8Array(4).fill(5));
    }
  });

  test('for threads only creates no driver objects for other processes', async () => {
    using array = await cuda.array(VALUES);
    using share = vi.spyOn(addon(), 'share');
    using ticket = cuda.share(array, { threadsOnly: true });
    expect(ticket.kind).toBe('array-interface/thread');
    expect(share).not.toHaveBeenCalled();
  });

  test('masked, or freed', async () => {
    using array = cuda.empty([4], 'uint8');
    using masked = cuda.asArray(
      foreignProducer(array, null, { mask: foreignProducer(array, null) }),
    );
    await refused(() => cuda.share(masked), 'ERR_MASK');
    const ended = cuda.empty([4], 'uint8');
    ended[Symbol.dispose]();
    await refused(() => cuda.share(ended), 'ERR_DISPOSED');
  });

  test('of a producer, which may free it: it gets no ticket', async () => {
    probe.makeCurrent(0);
    const pointer = probe.allocate(64);
    const dict = { shape: [64], typestr: '|u1', data: [pointer, false], version: 3 };
    const loan = cuda.asArray({ __cuda_array_interface__: dict });
    for (const array of [loan, loan.slice([[1, 9]])]) {
      for (const options of [{}, { threadsOnly: true }]) {
        const error = await refused(() => cuda.share(array, options), 'ERR_TICKET');
        expect(error.message).toContain('memory of a producer');
      }
    }
    loan[Symbol.dispose]();
    probe.free(pointer);
  });

  test('stale, although its file still exists: the sharer empties that before it closes it', async () => {
    await using other = new OtherProcess();
    using array = await cuda.array(VALUES);
    const ticket = forProcesses(array);
    const user = process.getuid?.() as number;
    expect(addon().openLease(ticket.lease, user)).toMatchObject({ state: 'open' });
    truncateSync(ticket.lease);
    expect(addon().openLease(ticket.lease, user)).toMatchObject({ state: 'ended', text: '' });
    const refusal = await other.refusal(OPEN, ticket);
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(refusal.message).toContain('freed the memory');
  });

  test('another process’s is passed on only to threads', async () => {
    await using other = new OtherProcess();
    using array = await cuda.array(VALUES);
    const onwards = `${OPEN} const { kind } = cuda.share(state.array); return kind;`;
    expect(await other.run(onwards, forProcesses(array))).toBe('array-interface/thread');
  });
});

function asProducer(shape: number[]) {
  const strides = [shape[1] as number, 1].map((step) => step * 4);
  return { __array_interface__: { version: 3, shape, typestr: '<f4', data: VALUES, strides } };
}

describe('an opener that does not get the lock of the file', () => {
  const refusing = fileURLToPath(
    new URL('../../build/Release/test/refusing_system.so', import.meta.url),
  );
  const preload = [process.env.LD_PRELOAD, refusing].filter(Boolean).join(':');
  const refuse = (what: string) => `process.env.REFUSING_SYSTEM = '${what}';`;

  test.each(['lazy', 'eager'])(
    'has no work, which is refused before it begins, %s',
    async (schedule) => {
      await using other = new OtherProcess({
        LD_PRELOAD: preload,
        CUDA_SIMULATOR_SCHEDULE: schedule,
      });
      using array = await cuda.array(VALUES);
      await other.run(OPEN, forProcesses(array));
      const error = await other.refusal(`${refuse('locks')} await cuda.fill(state.array, 5);`);
      expect(error).toMatchObject({
        code: 'ERR_TICKET',
        message: expect.stringContaining('No locks available'),
      });
      expect(await cuda.toTypedArray(array)).toEqual(VALUES);
      expect(await other.refusal(READ)).toMatchObject({ code: 'ERR_TICKET' });
      await other.run(`${refuse('')} await cuda.fill(state.array, 5);`);
      expect(await cuda.toTypedArray(array)).toEqual(new Float32Array(24).fill(5));
      await other.run(RELEASE);
    },
  );

  test('after its work: the call settles once others know of it, or it has ended', async () => {
    await using other = new OtherProcess({ LD_PRELOAD: preload });
    using array = await cuda.array(VALUES);
    await other.run(OPEN, forProcesses(array));
    await other.run(`${refuse('second locks')} await cuda.fill(state.array, 5);`);
    expect(await cuda.toTypedArray(array)).toEqual(new Float32Array(24).fill(5));
    await other.run(`${refuse('')} ${RELEASE}`);
  });
});
