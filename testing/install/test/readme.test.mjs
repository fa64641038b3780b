import { expect, test } from 'vitest';
import { npm11 } from '../clients.mjs';
import { installCommands, installPrints } from '../readme.mjs';
import { newUser } from '../user.mjs';

test("README's three commands print its result in an empty folder", async ({ onTestFinished }) => {
  const user = newUser(npm11);
  onTestFinished(user.remove);
  const printed = await user.said(['sh', '-ec', installCommands()]);
  expect(printed.endsWith(installPrints())).toBe(true);
});
