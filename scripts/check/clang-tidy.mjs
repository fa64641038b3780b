import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { environmentOf, provideEnvironment } from '../python/environment.mjs';
import { root, run } from '../run.mjs';
import { setup } from '../setup/setup.mjs';
import { addons } from '../workspace.mjs';
import { remember, unseen } from './clang-tidy-cache.mjs';

// npm run tidy [-- PATH…]: runs the checks of .clang-tidy on all C++, or on files whose path
// contains one of the arguments. Skips unchanged files that passed before, and tests that are not
// named, unless ARRAY_INTERFACE_WHOLE is 1. Installs clang-tidy once, from PyPI, into .clang-tidy-env
// (0.2 GB).
const tool = environmentOf({
  what: 'clang-tidy',
  size: '0.2 GB, 44 MB to fetch',
  bytesNeeded: 300_000_000,
  pins: 'scripts/check/clang-tidy.txt',
  target: '.clang-tidy-env',
});
const GROUPS = ['bugprone', 'clang-analyzer', 'cppcoreguidelines', 'misc', 'performance'];
const PROGRAMS = ['native', 'packages/cuda-simulator'];
const ADDONS = ['examples/backend', ...addons().map((name) => `packages/${name}`)];
const BUILD = 'build-tidy';
const isWhole = process.env.ARRAY_INTERFACE_WHOLE === '1';
const EXPORT = 'CMAKE_EXPORT_COMPILE_COMMANDS=ON';

/** Configures a folder's build, to get the compile commands of its files. */
function commandsOf(folder) {
  const cwd = path.join(root, folder);
  rmSync(path.join(cwd, BUILD, 'CMakeCache.txt'), { force: true }); // the checkout may have moved
  const [command, ...args] = ADDONS.includes(folder)
    ? [path.join(cwd, 'node_modules/.bin/cmake-js'), 'configure', '--out', BUILD, `--CD${EXPORT}`]
    : ['cmake', '-S', '.', '-B', BUILD, `-D${EXPORT}`, '-DFUZZ=ON'];
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${folder} cannot be configured: ${stdout}${stderr}`);
  return JSON.parse(readFileSync(path.join(cwd, BUILD, 'compile_commands.json'), 'utf8'));
}

/** The compile command of each file. Every file occurs once. */
function commands(wanted) {
  const files = new Map();
  for (const folder of [...PROGRAMS, ...ADDONS]) {
    for (const entry of commandsOf(folder)) files.set(entry.file, entry);
  }
  const entries = [...files].filter(([file]) => {
    const name = path.relative(root, file);
    if (name.includes('node_modules')) return false;
    if (wanted.length === 0) return isWhole || !/(^testing|\/test)\//.test(name);
    return wanted.some((part) => name.includes(part));
  });
  if (entries.length === 0) throw new Error(`expected C++ files, got none with ${wanted}`);
  return entries.map(([, entry]) => entry);
}

/** Writes one compile_commands.json for all entries, and returns its folder. */
function database(entries) {
  const folder = path.join(root, 'node_modules', '.clang-tidy');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'compile_commands.json'), JSON.stringify(entries));
  return folder;
}

/** The folder of clang-tidy's programs, inside the package that contains them. */
function programs() {
  const ask = 'import clang_tidy; print(clang_tidy.__path__[0])';
  const home = execFileSync(tool.python, ['-c', ask], { encoding: 'utf8' }).trim();
  return path.join(home, 'data', 'bin');
}

/** Throws unless clang-tidy finds the planted mistakes: one for each group of checks. */
function demandPlanted(bin) {
  const file = path.join(root, 'testing', 'gate', 'tidy', 'planted.cpp');
  const { stdout } = spawnSync(path.join(bin, 'clang-tidy'), [file, '--', '-std=c++17'], {
    cwd: root,
    encoding: 'utf8',
  });
  const unseen = GROUPS.filter((group) => !stdout.includes(`[${group}-`));
  if (unseen.length === 0) return;
  throw new Error(`expected ${unseen.join(', ')} to see a mistake in ${file}, got:\n${stdout}`);
}

await setup();
await provideEnvironment(tool);
const all = commands(process.argv.slice(2));
const notes = await unseen(all);
const bin = programs();
demandPlanted(bin);
// The analyzer's deep mode takes ten times as long, nearly all of it on the simulator's tests, and
// has found nothing more.
const shallow = ['-Xclang', '-analyzer-config', '-Xclang', 'mode=shallow'];
const options = ['-quiet', '-hide-progress', '-j', String(os.availableParallelism())];
const paths = [
  '-clang-tidy-binary',
  path.join(bin, 'clang-tidy'),
  '-p',
  database([...notes.keys()]),
];
const flags = shallow.map((flag) => `-extra-arg=${flag}`);
const look = [path.join(bin, 'run-clang-tidy.py'), ...paths, ...options, ...flags];
process.exitCode = notes.size === 0 ? 0 : await run(tool.python, look);
if (process.exitCode === 0) remember(notes.values());
const outcome = process.exitCode === 0 ? 'no mistakes' : 'see above';
console.log(`clang-tidy: ${all.length} files, ${notes.size} of them looked at, ${outcome}`);
