import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Ticket } from './party.js';

/** Fields of tickets, with what a forger would write into them. */
type Fields = Readonly<Record<string, unknown>>;

/** Numbers at which checks go wrong. */
const NUMBERS = [
  0,
  1,
  63,
  64,
  65,
  4096,
  2 ** 31,
  2 ** 32,
  2 ** 40,
  2 ** 53 - 1,
  -1,
  -64,
  1 - 2 ** 53,
  0.5,
];
const TYPESTRS = [
  '|u1',
  '|b1',
  '<i8',
  '>f4',
  '<c16',
  '|V64',
  '|V65',
  '|S0',
  '<U16',
  '|O8',
  '|V999999999999999',
  '',
  'x',
];
const ZEROS = (digits: number) => '0'.repeat(digits);
const nested = (depth: number): unknown => (depth === 0 ? '|u1' : [['a', nested(depth - 1)]]);

/** Numbers of threads and processes that a forger knows. */
export interface Numbers {
  readonly threadOfSharer: number;
  readonly opener: number;
  readonly threadOfOpener: number;
}

/** One alteration for each way in which a ticket may lie, of which 38 there are for a host's ticket. */
export function forgeries(ticket: Ticket, numbers: Numbers): readonly Fields[] {
  const { byteLength, lease } = ticket;
  const at = (process: number) => ({ lease: lease.replace(/\d+/, String(process)) });
  const file = (number: number | string) => ({ lease: lease.replace(/\d+$/, String(number)) });
  return [
    ...[byteLength, byteLength - 1 + 0.5, 2 ** 40, 2 ** 53 - 1, -1].map((offset) => ({ offset })),
    ...[
      [byteLength + 1],
      [2 ** 53 - 1],
      [2 ** 31, 2 ** 31],
      Array(65).fill(1),
      Array(100_000).fill(1),
      [-1],
      [0],
    ].map((shape) => ({ shape, byteStrides: shape.map(() => 1) })),
    ...[[2], [2 ** 53 - 1], [-1], [1 - 2 ** 53], [], [1, 1]].map((byteStrides) => ({
      byteStrides,
    })),
    ...[0, byteLength + 1, 2 ** 40, 2 ** 53 - 1].map((length) => ({ byteLength: length })),
    { byteLength: 2 ** 53 - 1, offset: 2 ** 40 },
    ...['<f8', '|V4096', '|O8', '', 'x'.repeat(100_000)].map((typestr) => ({ typestr })),
    ...[[['a', '<i8']], [['a', '|O8']], nested(400), 7].map((descr) => ({ descr, typestr: '|V1' })),
    { readOnly: 1 },
    { kind: 'array-interface/thread' },
    { version: 2 },
    { nonce: ZEROS(32) },
    at(numbers.threadOfSharer),
    at(numbers.opener),
    at(numbers.threadOfOpener),
    at(4_000_000_000),
    file(0),
    file(1_000_000),
    file('00'),
  ];
}

/** Lies that only a CUDA ticket can tell. */
export const CUDA_FORGERIES: readonly Fields[] = [
  { device: ZEROS(32) },
  { memory: ZEROS(128) },
  { ready: ZEROS(128) },
  { back: ZEROS(128) },
  { memory: 'f'.repeat(128) },
];

const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -100, max: 100 }));
const numbersOf = fc.oneof(fc.array(number, { maxLength: 5 }), fc.constant(Array(66).fill(1)));
const typestr = fc.constantFrom(...TYPESTRS);
const hex = (digits: number) =>
  fc.oneof(
    fc.constant(ZEROS(digits)),
    fc.string({
      unit: fc.constantFrom(...'0123456789abcdef'),
      minLength: digits,
      maxLength: digits,
    }),
  );
const descr = fc.oneof(
  fc.constant(null),
  fc.array(
    fc.oneof(
      fc.tuple(fc.constantFrom('a', 'b', ''), typestr),
      fc.tuple(fc.constant('c'), typestr, numbersOf),
    ),
    { maxLength: 3 },
  ),
);

/** Random values for any fields of both kinds, and whether the forger proves them. */
export const randomForgery: fc.Arbitrary<{ readonly fields: Fields; readonly isProved: boolean }> =
  fc.record({
    isProved: fc.boolean(),
    fields: fc.record(
      {
        offset: number,
        shape: numbersOf,
        byteStrides: numbersOf,
        byteLength: number,
        typestr,
        descr,
        readOnly: fc.boolean(),
        nonce: hex(32),
        device: hex(32),
        memory: hex(128),
        ready: hex(128),
        back: hex(128),
      },
      { requiredKeys: [] },
    ),
  });

/** The forged ticket. A forger of the same user, who can read and write the ticket's file, proves it. */
export function forge(ticket: Ticket, fields: Fields): Ticket {
  const { digest: _, ...body } = { ...ticket, ...only(fields, Object.keys(ticket)) };
  return { ...body, digest: digestOf(body as Ticket, ticket.lease) } as Ticket;
}

/** The same with the digest as it was. */
export function alter(ticket: Ticket, fields: Fields): Ticket {
  return { ...ticket, ...only(fields, Object.keys(ticket)) } as Ticket;
}

function only(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}

function digestOf(body: Ticket, lease: string): string {
  const text = JSON.stringify(Object.values(body));
  if ('device' in body) return createHash('sha256').update(text).digest('hex');
  const key = readFileSync(lease).subarray(32, 96);
  return createHmac('sha256', key).update(text).digest('hex');
}
