import { expect, test } from 'vitest';
import { ThreadTickets, type TicketTable } from '../../../src/backend/index.js';
import type { Memory } from '../../../src/backend/interface/memory.js';
import { type ArrayDescriptor, makeDescriptor } from '../../../src/index.js';
import { refusal } from '../../support/refusal.js';

/** Tickets of a worker, what its table holds, and who listens to its end. */
function setUp(takes = true) {
  const held = new Map<string, string>();
  const endings: (() => void)[] = [];
  let left = 0;
  const table: TicketTable<object, object> = {
    addTicket(_, token, text) {
      if (takes) held.set(token, text);
      return takes;
    },
    takeTicket(token) {
      const text = held.get(token);
      held.delete(token);
      return text === undefined ? null : { text };
    },
    endTicket: (token) => void held.delete(token),
    leaveTickets: () => void left++,
  };
  let tokens = 0;
  const tickets = new ThreadTickets<object, object, object>('fake', () => table, {
    newToken: () => (++tokens).toString(16).padStart(32, '0'),
    atWorkersEnd: (end) => void endings.push(end),
    user: () => 0,
  });
  return { tickets, held, endings, leaves: () => left };
}

type MemoryRange = Pick<Memory, 'pointer' | 'allocation'>;

function omitOwner({ owner: _, ...rest }: ArrayDescriptor) {
  return rest;
}

const range = { pointer: 64n, allocation: null };
const array = makeDescriptor({ pointer: 64n, shape: [4], dtype: 'uint8' });
const masked: ArrayDescriptor = makeDescriptor({
  ...{ pointer: 64n, shape: [4], dtype: 'uint8' },
  mask: makeDescriptor({ pointer: 128n, shape: [4], dtype: 'bool' }),
});

test('a worker listens for its end once, however much it shares, and leaves its tickets then', () => {
  const { tickets, held, endings, leaves } = setUp();
  for (let count = 1; count <= 20; count++) {
    tickets.share(array, range, {}, {}, null);
    expect(held.size).toBe(count);
    expect(endings, 'listeners to the end of the worker').toHaveLength(1);
  }
  expect(leaves()).toBe(0);
  endings[0]?.();
  expect(leaves()).toBe(1);
});

test.each<[string, boolean, ArrayDescriptor, object | null, string, string]>([
  ['that nothing keeps', true, array, null, 'ERR_TICKET', 'array'],
  ['that may end with its thread', false, array, {}, 'ERR_TICKET', 'array'],
  ['with a mask', true, masked, {}, 'ERR_MASK', 'array.mask'],
])('memory %s has no ticket, and nothing is left of the attempt', (...row) => {
  const [, takes, shared, memory, code, path] = row;
  const { tickets, held, endings } = setUp(takes);
  for (const forProcesses of [null, { kind: 'fake' }]) {
    const error = refusal(() => tickets.share(shared, range, memory, {}, forProcesses));
    expect(error).toMatchObject({ code, path });
  }
  expect([held.size, endings.length]).toEqual([0, 0]);
});

const whole = { pointer: 64n, byteLength: 4096 };
const HIGH = 2n ** 64n - 4096n;

test.each<[string, MemoryRange, object]>([
  ['of unknown extent', { pointer: 64n, allocation: null }, {}],
  ['that is the allocation', { pointer: 64n, allocation: whole }, { a: 1 }],
  ['within an allocation', { pointer: 1024n, allocation: whole }, { kind: 'host', mapped: true }],
  ['at its end', { pointer: 4160n, allocation: whole }, {}],
  [
    'at a high address',
    { pointer: HIGH + 8n, allocation: { pointer: HIGH, byteLength: 4096 } },
    {},
  ],
  ['without bytes', { pointer: 64n, allocation: { pointer: 64n, byteLength: 0 } }, {}],
])('whoever opens a ticket learns of memory %s what its sharer knew', (_, memory, facts) => {
  const { tickets } = setUp();
  const views = [
    makeDescriptor({ pointer: memory.pointer, shape: [], dtype: 'uint8' }),
    makeDescriptor({ pointer: memory.pointer, shape: [2, 3], byteStrides: [0, 8], dtype: '>f4', readOnly: true }),
    makeDescriptor({ pointer: memory.pointer, shape: [0, 2], dtype: [['x', '<i2'], ['y', '|S3', [2]]] }),
  ]; // biome-ignore format: one a line
  for (const view of views) {
    for (const forProcesses of [null, { kind: 'fake' }]) {
      const ticket = tickets.share(view, memory, {}, facts, forProcesses);
      const sent = structuredClone({ ...ticket });
      const opened = tickets.open(sent);
      if (opened === null) throw new Error('expected a ticket of this process');
      expect(opened.allocation).toEqual(memory.allocation);
      expect(opened.pointer).toBe(memory.allocation?.pointer ?? memory.pointer);
      expect(opened.facts).toEqual(facts);
      const own = { ...memory } as Memory;
      const { owner, ...described } = opened.describe(own);
      expect(owner).toBe(own);
      expect(described).toEqual(omitOwner(view));
    }
  }
});
