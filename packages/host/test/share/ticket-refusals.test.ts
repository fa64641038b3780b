import { createHmac } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { errorWithoutFiles } from '@array-interface/foreign';
import { type HostArray, host, liveAllocations, type Ticket } from '@array-interface/host';
import { afterAll, describe, expect, test } from 'vitest';
import { Held } from '../support/c-functions.js';
import { forProcesses } from '../support/for-processes.js';
import { OtherProcess } from '../support/other-process.js';
import { refused } from '../support/refused.js';

const OPEN = 'state.array = host.openShared(value);';
const READ = 'return [...await host.toTypedArray(state.array)].map(Number);';
const shareable = () => host.array(Uint8Array.of(1, 2, 3, 4), { shareable: true });

const other = new OtherProcess();
afterAll(() => other[Symbol.asyncDispose]());

/** A ticket that somebody sealed who does not know the key. */
function sealed(ticket: Ticket, changes: Partial<Ticket>): Ticket {
  const { digest: _, ...body } = { ...ticket, ...changes };
  const text = JSON.stringify(Object.values(body));
  return { ...body, digest: createHmac('sha256', 'guessed').update(text).digest('hex') };
}

describe('a ticket is refused', () => {
  test('if this process can open no more files, and is valid afterwards', async () => {
    await using sharer = new OtherProcess();
    const ticket = await sharer.run<Ticket>(
      'state.array = await host.array(Uint8Array.of(1, 2, 3), { shareable: true }); return forProcesses(state.array);',
    );
    (await shareable())[Symbol.dispose](); // the addon is loaded
    const error = errorWithoutFiles(() => host.openShared(ticket));
    const message = expect.stringContaining('close files, or raise `ulimit -n`');
    expect(error).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease', message });
    using array = host.openShared(ticket);
    expect(array.shape).toEqual([3]);
  });

  test('if its memory was freed', async () => {
    const array = await shareable();
    const ticket = forProcesses(array);
    array[Symbol.dispose]();
    const refusal = await other.refusal(OPEN, ticket);
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(refusal.message).toContain('stale');
  });

  test('if other memory or another file has its place', async () => {
    const first = await shareable();
    const old = forProcesses(first);
    first[Symbol.dispose]();
    const number = Number(old.lease.split('/').at(-1));
    const files = [openSync('/dev/null', 'r')];
    while (files.at(-1) !== number) files.push(openSync('/dev/null', 'r'));
    const foreign = await other.refusal(OPEN, old);
    expect(foreign).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(foreign.message).toContain('got another');
    closeSync(number);
    using array = await shareable();
    const ticket = forProcesses(array);
    expect(ticket.lease).toBe(old.lease); // the lowest number that is free
    for (const file of files.slice(0, -1)) closeSync(file);
    const stale = await other.refusal(OPEN, old);
    expect(stale).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(stale.message).toContain('whose file was replaced by another');
    expect(await other.run(`${OPEN} ${READ}`, ticket)).toEqual([1, 2, 3, 4]);
  });

  test('in its own process, once it was opened or disposed', async () => {
    using array = await shareable();
    const error = await refused(() => host.openShared(forProcesses(array)), 'ERR_TICKET');
    expect(error).toMatchObject({
      path: 'ticket.thread',
      message: expect.stringContaining('once'),
    });
    for (let digit = 0; digit < 10; digit++) {
      const lease = `/proc/${process.pid}${digit}/fd/3`; // of a process whose number begins as this one's
      const other = { ...forProcesses(array), lease };
      expect(await refused(() => host.openShared(other), 'ERR_TICKET')).toMatchObject({
        path: 'ticket.lease',
      });
    }
    const ticket = host.share(array);
    host.openShared({ ...ticket })[Symbol.dispose]();
    await refused(() => host.openShared(ticket), 'ERR_TICKET');
  });

  test('of threads, by the other backends', async () => {
    using array = await host.array([1, 2, 3]);
    using ticket = host.share(array);
    for (const backend of ['cuda', 'sycl', 'Host', 7, undefined]) {
      const error = await refused(
        () => host.openShared({ ...ticket, backend } as never),
        'ERR_TICKET',
      );
      expect(error.path).toBe('ticket.backend');
      expect(error.reason).toMatch(/^expected a ticket of the host backend, got one of /);
    }
    using opened = host.openShared(ticket);
    expect(opened.shape).toEqual([3]);
  });

  test('if it is altered in any field, or not a ticket', async () => {
    using array = await shareable();
    const ticket = forProcesses(array);
    const changes: Record<Exclude<keyof Ticket, 'thread'>, unknown> = {
      kind: 'array-interface/cuda',
      version: 2,
      lease: ticket.lease.replace(/\d+$/, '0'),
      nonce: 'f'.repeat(32),
      byteLength: 1 << 20,
      offset: 1,
      shape: [2],
      byteStrides: [2],
      typestr: '|i1',
      descr: [['x', '|u1']],
      readOnly: true,
      digest: '0'.repeat(64),
    };
    expect(Object.keys(changes)).toEqual(Object.keys(ticket));
    for (const [field, value] of Object.entries(changes)) {
      const refusal = await other.refusal(OPEN, { ...ticket, [field]: value });
      expect(refusal.code, field).toBe('ERR_TICKET');
    }
    const foreign = await other.refusal(OPEN, { ...ticket, kind: changes.kind });
    expect(foreign.path).toBe('ticket.kind');
    expect(foreign.message).toContain('got "array-interface/cuda" here; open it with');
    for (const value of [null, 'x', 7, [], {}, { ...ticket, lease: '/etc/passwd' }]) {
      expect((await other.refusal(OPEN, value)).code).toBe('ERR_TICKET');
    }
    const unreadable = `host.openShared({ ...value, get shape() { throw new Error('no'); } });`;
    expect((await other.refusal(unreadable, ticket)).code).toBe('ERR_TICKET');
    const changing = `let reads = 0; host.openShared({ ...value, get shape() { return [4 - reads++]; } });`;
    expect(await other.run(`${changing} return null;`, ticket)).toBe(null);
    expect(await other.run('return liveAllocations();')).toBeLessThanOrEqual(2);
  });

  test('if it is forged with its own digest', async () => {
    using array = await shareable();
    for (const change of [{ shape: [8] }, { offset: 2 }, {}]) {
      const refusal = await other.refusal(OPEN, sealed(forProcesses(array), change));
      expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.digest' });
    }
  });
});

describe('memory that cannot be shared', () => {
  test('says which it is', async () => {
    const why = async (array: unknown) =>
      (await refused(() => host.share(array as HostArray), 'ERR_TICKET')).message;
    using borrowed = host.asArray(new Uint8Array(4));
    for (const one of [borrowed, new Uint8Array(4)])
      expect(await why(one)).toContain('copy it with host.array(');
    expect(await why('text')).toContain('got "text"');
    using data = await shareable();
    const { __array_interface__: dict } = data;
    using masked = host.asArray({ __array_interface__: { ...dict, mask: data } });
    await refused(() => host.share(masked), 'ERR_MASK');
    const ended = await shareable();
    ended[Symbol.dispose]();
    await refused(() => host.share(ended), 'ERR_DISPOSED');
  });

  test('memory for threads only is refused by another process, which says what to do', async () => {
    using array = await host.array([1, 2, 3]);
    using shared = await shareable();
    using ticket = host.share(array);
    using threads = host.share(shared, { threadsOnly: true });
    for (const one of [ticket, threads]) {
      const refusal = await other.refusal(OPEN, one);
      expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.thread' });
      expect(refusal.message).toContain('shareable: true');
    }
    const onwards = `${OPEN} const { kind } = host.share(state.array); return kind;`;
    expect(await other.run(onwards, forProcesses(shared))).toBe('array-interface/thread');
  });

  test('while a kernel works on it', async () => {
    using array = await host.array(new Float32Array(8), { shareable: true });
    const held = new Held(array, 1);
    await refused(() => host.share(array), 'ERR_PENDING');
    held.letGo();
    await held.launched;
    expect(forProcesses(array).kind).toBe('array-interface/host');
  });
});

test('memory that the system does not have is refused, and nothing stays open', async () => {
  const { length } = await openFiles();
  const options = { shareable: true };
  for (const size of [2 ** 50, Number.MAX_SAFE_INTEGER]) {
    await refused(() => host.empty([size], 'uint8', options), 'ERR_OUT_OF_MEMORY');
  }
  await refused(() => host.empty([1], 'uint8', { shareable: 1 } as never), 'ERR_ARGUMENT');
  expect(liveAllocations()).toBe(0);
  expect(await openFiles()).toHaveLength(length);
});

async function openFiles(): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  return await readdir('/proc/self/fd');
}
