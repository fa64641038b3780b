import { expect, test } from 'vitest';
import { addOutcomes, countsOf, differences, recordOf } from '../suites/downstream/compare.mjs';

const began = (name) => ({ begins: name });
const ended = (name) => ({ ends: name });
const told = (name, outcome, reason) => ({ test: name, outcome, reason });
const isOver = { ends: null };

test('each test comes to the worst that was told of it, with the first line of the reason', () => {
  const outcomes = new Map();
  const lines = [
    ...[began('a'), ended('a')],
    ...[began('b'), told('b', 'failed', '\n  Error: at 0x7f12\nmore'), told('b', 'skipped', 'no')],
    ...[ended('b'), began('c'), told('c', 'skipped', 'no GPU'), ended('c'), isOver],
  ];
  expect(addOutcomes(outcomes, lines, 1)).toBe(false);
  expect([...outcomes]).toEqual([
    ['a', { kind: 'passed', reason: '' }],
    ['b', { kind: 'failed', reason: 'Error: at 0x…' }],
    ['c', { kind: 'skipped', reason: 'no GPU' }],
  ]);
});

test('of a process that ends early, the open test hung or crashed, and others are left', () => {
  const hung = new Map();
  expect(addOutcomes(hung, [began('a'), ended('a'), began('b')], 1)).toBe(true);
  expect(hung.get('b').kind).toBe('timedOut');
  const crashed = new Map();
  expect(addOutcomes(crashed, [began('b')], 128)).toBe(true);
  expect(crashed.get('b').kind).toBe('crashed');
  const broken = new Map(); // its context, between two tests
  expect(addOutcomes(broken, [began('b'), told('b', 'failed', 'x'), ended('b')], 3)).toBe(true);
  expect(countsOf(broken)).toEqual({ failed: 1 });
});

test('outcomes are compared with a record in both directions', () => {
  const outcomes = new Map([
    ['f::a', { kind: 'passed', reason: '' }],
    ['f::b', { kind: 'failed', reason: 'x' }],
    ['f::c', { kind: 'failed', reason: 'y' }],
  ]);
  const known = [{ reason: 'needs machine code', tests: ['f::b', 'g::d'] }];
  const record = recordOf(outcomes, { files: { g: { failed: 1 } }, exceptions: known });
  expect(record).toEqual({
    files: { f: { passed: 1, failed: 2 }, g: { failed: 1 } },
    exceptions: [
      { reason: 'needs machine code', tests: ['f::b', 'g::d'] },
      { reason: 'failed: y', tests: ['f::c'] },
    ],
  });
  expect(differences(outcomes, record)).toEqual([]);
  const others = new Map(outcomes)
    .set('f::a', { kind: 'crashed', reason: 'z' })
    .set('f::b', { kind: 'passed', reason: '' });
  expect(differences(others, record)).toEqual([
    'new: f::a: crashed: z',
    'no longer: f::b',
    'f: expected {"passed":1,"failed":2}, got {"passed":1,"failed":1,"crashed":1}',
  ]);
});
