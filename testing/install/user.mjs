import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject } from 'vitest';

/** Somebody whom this machine does not know. Only root can start programs as another. */
const STRANGER = process.getuid() === 0 ? { uid: 12345, gid: 12345 } : {};

/** What READMEs and the commands that clients write call, besides Node. No compiler, no python3. */
const SHELL = ['sh', 'env', 'basename', 'dirname', 'mkdir', 'sed', 'uname'];

/** More than any of it takes, also on a machine with much else to do. */
const TIMEOUT = 300_000;

/** No client runs a script of a package. Yarn would not install what was published today. */
const settings = (registry) => ({
  npm_config_registry: registry,
  NPM_CONFIG_REGISTRY: registry,
  npm_config_ignore_scripts: 'true',
  npm_config_update_notifier: 'false',
  YARN_NPM_REGISTRY_SERVER: registry,
  YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
  YARN_NPM_MINIMAL_AGE_GATE: '0',
  YARN_ENABLE_SCRIPTS: 'false',
  YARN_ENABLE_TELEMETRY: 'false',
});

/**
 * A user without rights, whose home and project are empty. They have Node, a shell, the registry of these
 * tests, and of its tools the `commands` of a client, by their files. Gives the folder of the project; `write`,
 * which puts a file there; `run`, which runs a command there and gives its status and what it said; `said`,
 * which gives what a command printed that must succeed; and `remove`.
 */
export function newUser({ commands, env = {} }) {
  const place = mkdtempSync(path.join(tmpdir(), 'user-'));
  const [home, project, bin] = ['home', 'project', 'bin'].map((name) => path.join(place, name));
  for (const folder of [home, project, bin]) mkdirSync(folder);
  for (const folder of [home, project]) give(folder);
  chmodSync(place, 0o755);
  for (const [name, file] of installed(commands)) symlinkSync(file, path.join(bin, name));
  const ownEnv = { HOME: home, PATH: bin, ...settings(inject('registry')), ...env };

  const run = ([command, ...args], extra = {}) =>
    runProgram(path.resolve(bin, command), args, {
      ...STRANGER,
      cwd: project,
      env: { ...ownEnv, ...extra },
    });
  return {
    project,
    write(name, text) {
      const file = path.join(project, name);
      writeFileSync(file, text);
      give(file);
    },
    run,
    async said(words, extra) {
      const { status, stdout, stderr } = await run(words, extra);
      expect(status, `${words.join(' ')}:\n${stdout}${stderr}`).toBe(0);
      return stdout;
    },
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

function give(file) {
  if (STRANGER.uid !== undefined) chownSync(file, STRANGER.uid, STRANGER.gid);
}

/** The files of a user's commands, by their names. */
function installed(commands) {
  return [
    ['node', process.execPath],
    ...SHELL.map((name) => [name, `/usr/bin/${name}`]),
    ...Object.entries(commands).map(([name, file]) => [name, path.resolve(inject('tools'), file)]),
  ];
}

function runProgram(file, args, options) {
  return new Promise((resolve) => {
    const all = { ...options, timeout: TIMEOUT, maxBuffer: 16 * 2 ** 20 };
    execFile(file, args, all, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : (error.code ?? error.signal), stdout, stderr });
    });
  });
}
