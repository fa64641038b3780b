import { expect, test } from 'vitest';
import { npm11 } from '../clients.mjs';
import { installCommands, linesOf, pipeline, pipelinePrints } from '../readme.mjs';
import { newUser } from '../user.mjs';

test("README's commands and its program work in an empty folder", async ({ onTestFinished }) => {
  const user = newUser(npm11);
  onTestFinished(user.remove);
  user.write('first.mjs', pipeline());
  // The program is in the folder that the commands make, as a user saves it there.
  const commands = `${installCommands()}sed '' ../first.mjs > first.mjs\nnode first.mjs\n`;
  const printed = linesOf(await user.said(['sh', '-ec', commands]));
  const promised = pipelinePrints();
  expect(promised).toHaveLength(3);
  expect(printed.slice(-promised.length)).toEqual(promised);
});
