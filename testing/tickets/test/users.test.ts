import { ANOTHER_USER, canPlayTwoUsers } from '@array-interface/foreign';
import { describe, expect, test } from 'vitest';
import { type Language, Party, type Ticket } from './party.js';

const KINDS = ['host', 'cuda'] as const;
const LANGUAGES: readonly Language[] = ['node', 'python'];
const me = process.geteuid?.() as number;
const share = (party: Party, backend: string) =>
  party.ask<Ticket>('share', { backend, byteLength: 4 });

describe.each(KINDS)('a ticket of %s memory', (kind) => {
  test.each(LANGUAGES)('is not opened by %s, which trusts only another user', async (language) => {
    await using sharer = new Party('node');
    await using opener = new Party(language);
    const ticket = await share(sharer, kind);
    const refusal = await opener.refusal('open', { ticket, user: me + 1 });
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(refusal.message).toContain(
      `expected a ticket made by a process of user ${me + 1}, got one made by user ${me}; let both`,
    );
    expect(await opener.ask('open', { ticket, user: me })).toBe('00010203');
    expect(await opener.ask('open', { ticket })).toBe('00010203');
  });
});

test.each([-1, 0.5, 2 ** 32, '0', null])('%j is not a user', async (user) => {
  await using opener = new Party('node');
  const refusal = await opener.refusal('open', { ticket: { kind: 'any' }, user });
  expect(refusal).toMatchObject({ code: 'ERR_ARGUMENT', path: 'user' });
});

const OTHERS = 'tickets of another user';
describe.runIf(canPlayTwoUsers(OTHERS)).each(KINDS)(`${OTHERS}, %s memory`, (kind) => {
  test.each(LANGUAGES)('root opens none in %s, unless it names the user', async (language) => {
    await using sharer = new Party('node', ANOTHER_USER);
    await using opener = new Party(language);
    const ticket = await share(sharer, kind);
    const refusal = await opener.refusal('open', { ticket });
    expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
    expect(refusal.message).toContain(
      `expected a ticket made by a process of user 0, got one made by user ${ANOTHER_USER}; let both ` +
        `processes run as one user, or, if you trust user ${ANOTHER_USER} with this process's memory, pass`,
    );
    expect(await opener.ask('open', { ticket, user: ANOTHER_USER })).toBe('00010203');
  });

  test('and nobody opens root’s', async () => {
    await using sharer = new Party('node');
    await using opener = new Party('node', ANOTHER_USER);
    const ticket = await share(sharer, kind);
    for (const user of [0, ANOTHER_USER]) {
      expect((await opener.refusal('open', { ticket, user })).code).toBe('ERR_TICKET');
    }
  });
});

const EFFECTIVE = 'the effective user';
test.runIf(canPlayTwoUsers(EFFECTIVE))(`the opener is ${EFFECTIVE}`, async () => {
  await using sharer = new Party('node', ANOTHER_USER);
  await using opener = new Party('node');
  const ticket = await share(sharer, 'host');
  await opener.ask('become', { user: ANOTHER_USER });
  expect(await opener.ask('open', { ticket })).toBe('00010203');
});
