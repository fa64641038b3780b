import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';

// Errors that nobody catches, as Node prints them: each program is one of a user, who wants to see
// the own line.

const folder = mkdtempSync(path.join(tmpdir(), 'array-interface-uncaught-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const core = fileURLToPath(import.meta.resolve('@array-interface/core'));
const host = fileURLToPath(import.meta.resolve('@array-interface/host'));
const IMPORTS = `
  import { flip, fromProducer } from ${JSON.stringify(core)};
  import { host } from ${JSON.stringify(host)};
`;
const FLIPS = 'flip(fromProducer(new Float32Array(2)), 7)';
const OWN = /packages\/(core|host)\/(dist|src)\//;

/** What Node prints when a program of this text ends with an error. */
function printed(
  text: string,
  { name = 'program.mjs', options = [] as string[], isWhole = false } = {},
): Promise<string> {
  const file = path.join(folder, name);
  writeFileSync(file, isWhole ? text : `${IMPORTS}\n${text}`);
  return new Promise((resolve) => {
    execFile(process.execPath, [...options, file], (error, _out, stderr) => {
      resolve(error === null ? `it ended without an error\n${stderr}` : stderr);
    });
  });
}

/** Expects the message, and before all other lines of code that of the function `user`. */
function expectUsersLine(text: string, message: string): void {
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines[0], text).toContain(`ArrayInterfaceError: ${message}`);
  expect(lines[1], text).toMatch(/^ {4}at (async )?(\w+\.)?user .*program\.[mc]js:\d+:\d+\)$/);
  expect(text).not.toMatch(OWN);
  expect(text.match(/\[ERR_/g)).toHaveLength(1);
}

const AXIS = '[ERR_ARGUMENT] axes[0]: expected an axis in -1 .. 0, got 7';

describe('an error that nobody catches shows the line of the user', () => {
  test.each([
    ['thrown at once', `function user() { ${FLIPS}; }\nuser();`],
    ['thrown in a timer', `function user() { ${FLIPS}; }\nsetTimeout(user);`],
    ['thrown in an event', `function user() { ${FLIPS}; }\nprocess.once('x', user).emit('x');`],
    ['thrown after an await', `async function user() { await null; ${FLIPS}; }\nawait user();`],
    ['of a promise that nobody awaits', `async function user() { ${FLIPS}; }\nuser();`],
  ])('%s', async (_, text) => {
    expectUsersLine(await printed(text), AXIS);
    expectUsersLine(await printed(text, { options: ['--enable-source-maps'] }), AXIS);
  });

  test('in a CommonJS program', async () => {
    const text = `const { flip, fromProducer } = require(${JSON.stringify(core)});
      function user() { ${FLIPS}; }
      user();`;
    const options = process.version.startsWith('v20') ? ['--no-warnings'] : [];
    expectUsersLine(await printed(text, { name: 'program.cjs', options, isWhole: true }), AXIS);
  });

  test.each([
    ['copy', 'await host.copy(new Uint8Array(2), host.array([1]))', 'source: expected'],
    ['array', 'await host.array([[1], [2, 3]])', 'source'],
    ['toTypedArray', 'await host.toTypedArray([1, 2])', 'source: expected'],
    ['an array’s method', 'await host.empty([2], "uint8").synchronize({ signal: 3 })', 'signal'],
  ])('that awaits %s', async (_, call, path) => {
    const text = await printed(`async function user() { await null; ${call}; }\nawait user();`);
    expect(text.split('\n')[0], text).toMatch(/^ArrayInterfaceError: \[ERR_\w+\] /);
    expect(text.split('\n')[0]).toContain(`] ${path}`);
    expect(text.split('\n')[1], text).toMatch(/^ {4}at (async )?user \(.*program\.mjs:\d+:\d+\)$/);
    expect(text).not.toMatch(OWN);
  });

  test('in another thread, which hands code and path to the first', async () => {
    const text = await printed(`
      import { Worker, isMainThread } from 'node:worker_threads';
      function user() { ${FLIPS}; }
      if (!isMainThread) user();
      const worker = new Worker(new URL(import.meta.url));
      worker.on('error', (error) => {
        console.error(JSON.stringify({ ...error, message: error.message, frames: error.stack.split('\\n') }));
        process.exit(1);
      });`);
    const { code, path: where, message, frames } = JSON.parse(text.trim().split('\n').at(-1) ?? '');
    expect([code, where, message]).toEqual(['ERR_ARGUMENT', 'axes[0]', AXIS]);
    expect(frames[1]).toMatch(/at user \(.*program\.mjs/);
  });
});
