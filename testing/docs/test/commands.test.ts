import { describe, expect, test } from 'vitest';
import { wrongCommands } from './support/commands.js';
import { blocksOf, inlineCodeOf, readPages } from './support/pages.js';

describe('commands', () => {
  test.each(readPages())('of $page exist', (page) => {
    const fenced = blocksOf(page).filter(({ language }) => language === 'sh');
    const wrong = [...fenced, ...inlineCodeOf(page)].flatMap(({ place, code }) =>
      wrongCommands(code).map((text) => `${place}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ['npm run tidyy', "no package.json has a script 'tidyy'"],
    ['npm tests -- packages/core', "no package.json has a script 'tests'"],
    ['npx array-interfaces doctor', "no package has a command 'array-interfaces'"],
    ['npx array-interface install sycl', "array-interface has no subcommand 'install'"],
    ['npx array-interface setup cuda', "array-interface setup has no subcommand 'cuda'"],
    ['npx array-interface inspect --reader', "array-interface inspect has no option '--reader'"],
    ['node scripts/nothing.mjs', 'there is no file scripts/nothing.mjs'],
  ])('%s does not exist', (code, text) => {
    expect(wrongCommands(code)).toEqual([text]);
  });

  test.each([
    'npm run tidy',
    'npm test -- packages/core',
    'npx --yes pnpm@10 install',
    'npx array-interface setup sycl',
    'npx array-interface inspect --readers dicts.jsonl # inspekt',
    'npx cuda-simulator python3',
  ])('%s exists', (code) => {
    expect(wrongCommands(code)).toEqual([]);
  });
});
