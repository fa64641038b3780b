import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import {
  OPEN_SHARED_OPTIONS,
  openLayout,
  readOptions,
  ticketEnvironment,
  ticketFileError,
} from '../../../src/backend/index.js';
import { FakeBackend, FakeDriver } from '../../support/fake-driver.js';
import { refusal } from '../../support/refusal.js';

describe('a file that is not opened', () => {
  test.each([
    [
      "another's",
      'a process of user 1, got one made by user 7; let both processes run as one user',
    ],
    ["another's", 'pass { user: 7 } to openShared'],
    ['foreign', 'expected a memory, got another or a stale one'],
    ['thread', "expected the sharer's process ID, got the ID of a thread"],
    ['ended', 'got a stale one: its sharer ended'],
  ] as const)('since it is %s says what to do', (state, message) => {
    const error = ticketFileError({ state, owner: 7 }, 1, 'a memory');
    expect(error).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(error.message).toContain(message);
  });
});

test.each([-1, 0.5, 2 ** 32 - 1, '0', null])('%j is not a user', (user) => {
  const error = refusal(() => readOptions({ user } as never, OPEN_SHARED_OPTIONS));
  expect(error).toMatchObject({ code: 'ERR_ARGUMENT', path: 'user' });
});

test('a layout that does not fit is an error of the ticket, which shows no address', () => {
  const backend = new FakeBackend(new FakeDriver());
  using array = backend.empty([4], 'uint8');
  const layout = { offset: 0, byteStrides: [1], typestr: '|u1', descr: null, readOnly: false };
  expect(openLayout({ ...layout, shape: [4] }, array.memory as never).shape).toEqual([4]);
  for (const [shape, cause] of [
    [[5], 'ERR_OUT_OF_BOUNDS'],
    [[-1], 'ERR_NEGATIVE_DIMENSION'],
    [[1, 1], 'ERR_RANK_MISMATCH'],
  ] as const) {
    const error = refusal(() => openLayout({ ...layout, shape }, array.memory as never));
    expect(error).toMatchObject({ code: 'ERR_TICKET', path: 'ticket', cause: { code: cause } });
    expect(error.message).not.toContain('0x');
  }
});

test('the tokens of Node are unique, and name the effective user', () => {
  const { newToken, atWorkersEnd, user } = ticketEnvironment(createRequire(import.meta.url));
  expect(newToken()).toMatch(/^[0-9a-f]{32}$/);
  expect(newToken()).not.toBe(newToken());
  expect(user()).toBe(process.geteuid?.() ?? 0);
  atWorkersEnd(() => {});
});
