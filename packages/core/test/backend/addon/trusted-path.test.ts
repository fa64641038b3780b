import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isElevated, whyUntrusted } from '@array-interface/core/backend';
import { ANOTHER_USER as ANOTHER, canPlayTwoUsers } from '@array-interface/foreign';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';

const require = createRequire(import.meta.url);
const hasTwoUsers = canPlayTwoUsers('paths that another user could change');
const me = process.geteuid?.() as number;

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'trusted-path-'));
  mkdirSync(path.join(folder, 'a/b'), { recursive: true });
  file = path.join(folder, 'a/b/library.so');
  writeFileSync(file, '');
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (part: string) => path.join(folder, part);
const why = (one = file) => whyUntrusted(one, require);

describe('whyUntrusted', () => {
  test('nobody else can change a file in our own folder within the temporary folder', () => {
    expect(why()).toBe(null);
    symlinkSync(at('a'), at('link'));
    expect(why(at('link/b/library.so'))).toBe(null);
    symlinkSync('../b/../b/library.so', at('a/b/relative'));
    expect(why(at('a/b/relative'))).toBe(null);
  });

  test('.. leads out of a link’s target', () => {
    mkdirSync(at('elsewhere/below'), { recursive: true });
    writeFileSync(at('elsewhere/library.so'), '');
    chmodSync(at('elsewhere'), 0o777);
    symlinkSync(at('elsewhere/below'), at('a/b/link'));
    expect(why(`${folder}/a/b/link/../library.so`)).toContain(
      `${at('elsewhere')} may be written by every user`,
    );
    symlinkSync('link/../library.so', at('a/b/through'));
    expect(why(at('a/b/through'))).toContain(`${at('elsewhere')} may be written by every user`);
  });

  test('a path that cannot be read is not trusted', () => {
    expect(why(at('x'.repeat(300)))).toContain('cannot be inspected (ENAMETOOLONG)');
  });

  test('a path that leads nowhere is left to its reader', () => {
    expect(why(at('a/c/library.so'))).toBe(null);
  });

  test('others may create what does not exist in a sticky folder, and not elsewhere', () => {
    expect(why('/tmp')).toBe(null);
    chmodSync(at('a'), 0o1777);
    const answer = `${at('a/c')} does not exist, and other users may create it in ${at('a')}; create it, or use another path`;
    expect(why(at('a/c'))).toBe(answer);
    expect(why(at('a/c/library.so'))).toBe(answer);
    symlinkSync(at('a/c'), at('link'));
    expect(why(at('link'))).toBe(answer);
    expect(why(at('a/b/c'))).toBe(null); // in a folder of our own within
    expect(why(at('c'))).toBe(null);
    chmodSync(at('a'), 0o1775);
    expect(why(at('a/c'))).toBe(null); // of the user's own group, or root's
  });

  test.each(['', 'a', 'a/b'])('every user may write in folder %j', (part) => {
    chmodSync(at(part), 0o777);
    const named = path.join(folder, part);
    expect(why()).toBe(
      `${named} may be written by every user; run chmod o-w ${named} if you trust what is there`,
    );
  });

  test('a file that every user may write is not trusted, in a sticky folder neither', () => {
    chmodSync(file, 0o1666);
    expect(why()).toContain(`${file} may be written by every user`);
  });

  test('a link leads through a folder that every user may write', () => {
    mkdirSync(at('open'));
    writeFileSync(at('open/library.so'), '');
    chmodSync(at('open'), 0o777);
    symlinkSync('../../open/library.so', at('a/b/link'));
    expect(why(at('a/b/link'))).toContain(`${at('open')} may be written by every user`);
  });

  test('links that lead to one another', () => {
    symlinkSync(at('y'), at('x'));
    symlinkSync(at('x'), at('y'));
    expect(why(at('x'))).toBe(
      `${at('x')} leads through more than 40 symbolic links; use the file's real path`,
    );
  });

  test.runIf(hasTwoUsers).each([
    ['the file', (): void => chownSync(file, ANOTHER, 0), 'a/b/library.so'],
    ['a folder on the way', (): void => chownSync(at('a'), ANOTHER, 0), 'a'],
    [
      'a link on the way',
      (): void => {
        symlinkSync('../b/library.so', at('a/b/link'));
        lchownSync(at('a/b/link'), ANOTHER, ANOTHER);
      },
      'a/b/link',
    ],
  ])('%s belongs to another user', (_, spoil, part) => {
    spoil();
    expect(why(part === 'a/b/link' ? at(part) : file)).toBe(
      `${at(part)} belongs to user ${ANOTHER}, not to root or to you (user ${me}); ` +
        'use a path of your own',
    );
  });

  test.runIf(hasTwoUsers)('a group may write if it is root’s or the user’s own', () => {
    chmodSync(at('a'), 0o775);
    expect(why()).toBe(null);
    chownSync(at('a'), me, ANOTHER);
    chmodSync(at('a'), 0o775);
    expect(why()).toBe(
      `${at('a')} may be written by group ${ANOTHER}; run chmod g-w ${at('a')} if you trust what is there`,
    );
  });

  test.runIf(hasTwoUsers)('our files are not another user’s own', () => {
    chmodSync(folder, 0o755);
    const program = `
      const { whyUntrusted } = require(${JSON.stringify(require.resolve('@array-interface/core/backend'))});
      console.log(whyUntrusted(${JSON.stringify(file)}, require));`;
    // What root owns is fine for everybody; what a user owns is not fine for another, nor for root.
    chownSync(at('a'), ANOTHER, ANOTHER);
    const asUser = (uid: number) =>
      execFileSync(process.execPath, ['-e', `process.setuid(${uid}); ${program}`], {
        encoding: 'utf8',
      }).trim();
    expect(asUser(ANOTHER)).toBe('null');
    expect(asUser(ANOTHER + 1)).toContain(`${at('a')} belongs to user ${ANOTHER}`);
    expect(why()).toContain(`${at('a')} belongs to user ${ANOTHER}`);
  });
});

describe('isElevated', () => {
  test('is false for a program that its user starts', () => {
    expect(isElevated(require)).toBe(false);
  });

  test.runIf(hasTwoUsers)(
    'is true for a program that runs as another user than its starter',
    () => {
      const program = at('node');
      copyFileSync(process.execPath, program);
      chownSync(program, ANOTHER, ANOTHER);
      chmodSync(program, 0o4755);
      chmodSync(folder, 0o755);
      onTestFinished(() => rmSync(program, { force: true }));
      const core = JSON.stringify(require.resolve('@array-interface/core/backend'));
      const code = `console.log(process.geteuid(), require(${core}).isElevated(require))`;
      const run = () => execFileSync(program, ['-e', code], { encoding: 'utf8' }).trim();
      expect(run()).toBe(`${ANOTHER} true`);
      chmodSync(program, 0o755);
      expect(run()).toBe('0 false');
    },
  );
});
