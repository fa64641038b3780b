import { expect, test } from 'vitest';
import { addOutcomes, countsOf, differences, faultsOf } from '../suites/downstream/compare.mjs';

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
  expect(countsOf(broken)).toEqual({ passed: 0, skipped: 0, failed: 1, timedOut: 0, crashed: 0 });
});

test('outcomes are compared with a record in both directions', () => {
  const outcomes = new Map([
    ['a', { kind: 'passed', reason: '' }],
    ['b', { kind: 'failed', reason: 'x' }],
    ['c', { kind: 'failed', reason: 'y' }],
  ]);
  const record = {
    counts: countsOf(outcomes),
    exceptions: faultsOf(outcomes, [{ reason: 'needs machine code', tests: ['b'] }]),
  };
  expect(record.exceptions).toEqual([
    { reason: 'needs machine code', tests: ['b'] },
    { reason: 'failed: y', tests: ['c'] },
  ]);
  expect(differences(outcomes, record)).toEqual([]);
  const others = new Map(outcomes)
    .set('a', { kind: 'crashed', reason: 'z' })
    .set('b', { kind: 'passed', reason: '' });
  expect(differences(others, record)).toEqual([
    'new: a: crashed: z',
    'no longer: b',
    'failed: expected 2, got 1',
    'crashed: expected 0, got 1',
  ]);
});
