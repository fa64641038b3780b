import { appendFileSync } from 'node:fs';
import { random } from '@array-interface/random';
import { bytesAt } from '@array-interface/support';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { alter, CUDA_FORGERIES, forge, forgeries, randomForgery } from './forgeries.js';
import { type CudaTicket, type Language, Party, type Reply, type Ticket } from './party.js';

/** Of the memory that is shared. */
const BYTE_LENGTH = 64;
const MEMORY = Uint8Array.from({ length: BYTE_LENGTH }, (_, i) => i);
const KINDS = ['host', 'cuda'] as const;
const LANGUAGES: readonly Language[] = ['node', 'python'];

const sharer = new Party('node');
const openers = { node: new Party('node'), python: new Party('python') };
afterAll(async () => {
  for (const party of [sharer, ...Object.values(openers)]) await party[Symbol.asyncDispose]();
});

const share = (backend: string) =>
  sharer.ask<Ticket>('share', { backend, byteLength: BYTE_LENGTH });

/** A ticket whose digest the forger has written into a lease, as every process of the user can. */
function proved(ticket: Ticket, fields: object, { lease } = ticket): Ticket {
  const forged = forge(ticket, fields as never);
  if ('device' in forged) appendFileSync(lease, forged.digest);
  return forged;
}

/** An error about the ticket, or the bytes that are really there. */
function judge(ticket: Ticket, reply: Reply<string | null>, what: string): void {
  if ('error' in reply) {
    expect(reply.error.code, `${what}: ${reply.error.message}`).toBe('ERR_TICKET');
  } else if (reply.answer !== null) {
    expect(reply.answer, what).toBe(bytesAt(ticket, MEMORY));
  }
}

describe.each(KINDS)('a forged ticket of %s memory', (kind) => {
  test.each(LANGUAGES)(
    'lies in one way, and %s refuses it or reads what is there',
    async (language) => {
      const opener = openers[language];
      const ticket = await share(kind);
      const numbers = {
        threadOfSharer: await sharer.ask<number>('thread'),
        opener: opener.pid,
        threadOfOpener: await opener.ask<number>('thread'),
      };
      const lies = [...forgeries(ticket, numbers), ...(kind === 'cuda' ? CUDA_FORGERIES : [])];
      expect(lies.length).toBeGreaterThanOrEqual(38);
      for (const fields of lies) {
        const what = JSON.stringify(fields).slice(0, 200);
        for (const forged of [alter(ticket, fields), proved(ticket, fields)]) {
          judge(forged, await opener.reply('open', { ticket: forged }), what);
        }
      }
      judge(ticket, await opener.reply('open', { ticket }), 'the ticket itself');
      expect(await opener.ask('open', { ticket })).toBe(bytesAt(ticket, MEMORY));
    },
  );

  test.each(LANGUAGES)(
    'lies in any ways, and %s refuses it or reads what is there',
    async (language) => {
      const ticket = await share(kind);
      const property = fc.asyncProperty(randomForgery, async ({ fields, isProved }) => {
        const forged = isProved ? proved(ticket, fields) : alter(ticket, fields);
        judge(forged, await openers[language].reply('open', { ticket: forged }), 'drawn');
      });
      await fc.assert(property, random(200));
      expect(await openers[language].ask('open', { ticket })).toBe(bytesAt(ticket, MEMORY));
    },
  );
});

test.each(LANGUAGES)(
  "a forged ticket that %s opens first does not keep the memory in the true one's place",
  async (language) => {
    await using opener = new Party(language);
    const ticket = await share('cuda');
    // A file that the forger created, or that belongs to another ticket.
    const another = (await share('cuda')) as CudaTicket;
    const { lease, nonce, ready, back } = another;
    const forged = proved(ticket, { lease, nonce, ready, back }, another);
    await opener.ask('keep', { ticket: forged });
    const reply = await opener.reply('keep', { ticket });
    if ('error' in reply) {
      expect(reply.error).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
      await opener.ask('letGo');
      await opener.ask('keep', { ticket });
    }
    // Whoever opened it locks the file of its lease, and the sharer keeps the memory.
    expect(await opener.ask('holds', { path: ticket.lease })).toBe(true);
    await opener.ask('keep', { ticket }); // and once more
    await opener.ask('letGo');
  },
);

test('a ticket of the opener’s own memory or events is refused, for which the driver has another error', async () => {
  const opener = openers.node;
  const own = (await opener.ask('share', { backend: 'cuda', byteLength: 64 })) as CudaTicket;
  const ticket = await share('cuda');
  const { memory, ready, back } = own;
  for (const fields of [{ memory }, { ready }, { back }, { memory, ready, back }]) {
    const refusal = await opener.refusal('open', { ticket: proved(ticket, fields) });
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.memory' });
  }
  expect(await opener.ask('open', { ticket })).toBe(bytesAt(ticket, MEMORY));
});

type Field = readonly [name: unknown, kind: unknown, shape?: readonly number[]];

/** The bytes of fields whose types have a byte for each element, or none. */
function sizeOf(fields: readonly Field[]): number {
  const sizes = fields.map(([, kind, shape = []]) => {
    const size = Array.isArray(kind) ? sizeOf(kind) : Number(/\d+$/.exec(kind as string)?.[0]);
    return shape.reduce((product, length) => product * Math.max(length, 0), size);
  });
  return Math.trunc(sizes.reduce((sum, size) => sum + size, 0));
}

const many = (count: number): readonly Field[] =>
  Array.from({ length: count }, (_, i) => [`f${i}`, i === 0 ? '|u1' : '|V0']);
const deep = (depth: number): readonly Field[] => [['a', depth === 0 ? '|u1' : deep(depth - 1)]];
const shaped = (shape: readonly number[]): readonly Field[] => [['a', '|u1', shape]];
const named = (...names: readonly unknown[]): readonly Field[] =>
  names.map((name) => [name, '|u1']);

/** What a record may be: fields within each limit, and beyond it. Both languages agree. */
const RECORDS: readonly (readonly [string, (readonly Field[])[], (readonly Field[])[]])[] = [
  [
    'axes',
    [shaped([]), shaped(Array(64).fill(1))],
    [shaped(Array(65).fill(1)), shaped(Array(1000).fill(1))],
  ],
  ['lengths', [shaped([0]), shaped([8, 8])], [shaped([-1]), shaped([1, 0.5]), shaped([65])]],
  ['levels', [deep(0), deep(32)], [deep(33), deep(200)]],
  ['fields', [many(1), many(2 ** 16)], [many(2 ** 16 + 1)]],
  [
    'names',
    [named('a', 'b'), named('a', ''), named(['title', 'a'], 'b')],
    [
      named('a', 'a'),
      named(['a', 'b'], 'a'),
      named(['t', 'a'], ['t', 'b']),
      named(7),
      named(['a']),
    ],
  ],
];

describe.each(LANGUAGES)('%s', (language) => {
  test.each(KINDS)('does not open its own %s memory by the number of a thread', async (kind) => {
    await using own = new Party(language);
    const maker = language === 'node' || kind === 'host' ? own : sharer;
    const ticket = await maker.ask<Ticket>('share', { backend: kind, byteLength: BYTE_LENGTH });
    const thread = await maker.ask<number>('thread');
    const lease = ticket.lease.replace(/\d+/, String(thread));
    const refusal = await own.refusal('open', { ticket: proved(ticket, { lease }) });
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(refusal.message).toContain('got the ID of a thread');
  });

  test('limits a CUDA ticket to the allocation that the driver reports', async () => {
    const ticket = await share('cuda');
    // From the first page behind it, over the most that devices have and what addresses are, to any number.
    for (const byteLength of [2 ** 22, 2 ** 40, 2 ** 46, 2 ** 48, 2 ** 53 - 1]) {
      const lie = proved(ticket, { byteLength, offset: byteLength - BYTE_LENGTH });
      const refusal = await openers[language].refusal('open', { ticket: lie });
      expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.byteLength' });
      const [, extent] =
        /at most (\d+) bytes, the size of the allocation/.exec(refusal.message) ?? [];
      expect(Number(extent), refusal.message).toBeLessThan(2 ** 22);
      expect(refusal.message).toContain(`the allocation, got ${byteLength};`);
    }
  });

  test.each(KINDS)('takes 64 dimensions of a %s ticket, and no more', async (kind) => {
    const ticket = await share(kind);
    const ones = (rank: number) => ({
      shape: Array(rank).fill(1),
      byteStrides: Array(rank).fill(1),
    });
    expect(await openers[language].ask('open', { ticket: proved(ticket, ones(64)) })).toBe('00');
    for (const rank of [65, 100_000]) {
      const forged = proved(ticket, ones(rank));
      expect((await openers[language].refusal('open', { ticket: forged })).code).toBe('ERR_TICKET');
    }
  });

  test.each(KINDS)('takes records of a %s ticket up to each limit, and no more', async (kind) => {
    const ticket = await share(kind);
    for (const [name, within, beyond] of RECORDS) {
      for (const [fields, isTaken] of [
        ...within.map((one) => [one, true] as const),
        ...beyond.map((one) => [one, false] as const),
      ]) {
        const typestr = `|V${sizeOf(fields)}`;
        const forged = proved(ticket, { descr: fields, typestr, shape: [], byteStrides: [] });
        const reply = await openers[language].reply('open', { ticket: forged });
        const answer = 'error' in reply ? reply.error.code : 'opened';
        expect([name, JSON.stringify(fields).slice(0, 100), answer]).toEqual([
          name,
          JSON.stringify(fields).slice(0, 100),
          isTaken ? 'opened' : 'ERR_TICKET',
        ]);
      }
    }
  });
});
