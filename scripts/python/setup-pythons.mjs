import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../run.mjs';
import { BUILT, findPythons } from './versions.mjs';

// npm run setup:pythons [-- VERSION…]: builds the CPythons that `npm run test:python` needs and
// this machine lacks, or the named ones (3.14, 3.14t), in .peers/cpython-VERSION. Each takes 5 to
// 10 minutes and 0.4 GB. Sources come from the Debian archive that apt is configured for. Needs a C
// compiler, make, xz, libffi-dev, libssl-dev and zlib1g-dev. Pythons from pyenv also work if they
// have a shared library.

/** The sources by minor version: the release, and the SHA-256 of its archive. */
const SOURCES = {
  3.13: ['3.13.5', '93e583f243454e6e9e4588ca2c2662206ad961659863277afcdb96801647d640'],
  3.14: ['3.14.7', '3b48dac8fb59f62eaa67ac83c1eb12bda1b7a08406dd286e252c11a66be27f81'],
};

/** Runs a command and returns its output. Throws with the last lines of that. */
function must(command, args, cwd) {
  const options = { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 };
  const { status, error, stdout, stderr } = spawnSync(command, args, options);
  if (status === 0) return stdout;
  const said = `${stdout ?? ''}${stderr ?? ''}`.trim().split('\n').slice(-10).join('\n');
  throw new Error(`${command} ${args.join(' ')}: ${error?.code ?? `status ${status}`}\n${said}`);
}

/** The address of the Debian archive that this machine's packages come from. */
function archive() {
  const lines = must('apt-get', ['indextargets', '--format', '$(ORIGIN) $(SUITE) $(REPO_URI)']);
  const targets = lines.split('\n').map((line) => line.split(' '));
  const found = targets.find(
    ([origin, suite]) => origin === 'Debian' && !suite.endsWith('-security'),
  );
  if (found) return found[2];
  throw new Error('expected apt to know an archive of Debian, got none: use pyenv');
}

/** Downloads the source of a minor version, verifies and unpacks it. Returns its folder. */
async function unpack(minor, folder) {
  const [release, sum] = SOURCES[minor];
  const url = `${archive()}pool/main/p/python${minor}/python${minor}_${release}.orig.tar.xz`;
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(
      `${url}: ${response.status}; name another release of it in scripts/python/setup-pythons.mjs`,
    );
  const bytes = Buffer.from(await response.arrayBuffer());
  const got = createHash('sha256').update(bytes).digest('hex');
  if (got !== sum) throw new Error(`${url}: expected SHA-256 ${sum}, got ${got}`);
  writeFileSync(path.join(folder, 'source.tar.xz'), bytes);
  must('tar', ['--extract', '--file', 'source.tar.xz'], folder);
  return path.join(folder, `Python-${release}`);
}

/** Builds a version with a shared libpython. */
async function build(version) {
  const target = path.join(BUILT, `cpython-${version}`);
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  console.log(`Building ${path.relative(root, target)}: 5 to 10 minutes, once.`);
  const cwd = await unpack(version.replace('t', ''), partial);
  const options = [
    `--prefix=${target}`,
    '--enable-shared',
    `LDFLAGS=-Wl,-rpath,${target}/lib`,
    '--disable-test-modules',
    ...(version.endsWith('t') ? ['--disable-gil'] : []),
  ];
  must('./configure', options, cwd);
  must('make', [`-j${os.availableParallelism()}`], cwd);
  must('make', ['install'], cwd);
  rmSync(partial, { recursive: true });
}

const known = Object.keys(SOURCES).flatMap((minor) => [minor, `${minor}t`]);
const { missing } = findPythons();
const lacking = missing.map(({ version }) => version).filter((version) => known.includes(version));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : lacking;
const unknown = wanted.filter((version) => !known.includes(version));
if (unknown.length > 0) {
  console.error(`expected versions that are built here (${known.join(', ')}), got ${unknown}`);
  process.exit(2);
}
for (const version of wanted) {
  try {
    await build(version);
  } catch (error) {
    console.error(`Python ${version} was not made: ${error.message}`);
    process.exitCode = 1;
  }
}
