import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { demandKnown } from '../arguments.mjs';
import { job, outputOf, root } from '../run.mjs';
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

/** The address of the Debian archive that this machine's packages come from. */
async function archive() {
  const format = ['--format', '$(ORIGIN) $(SUITE) $(REPO_URI)'];
  const lines = await outputOf('apt-get', ['indextargets', ...format]);
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
  const url = `${await archive()}pool/main/p/python${minor}/python${minor}_${release}.orig.tar.xz`;
  const response = await fetch(url);
  if (!response.ok)
    throw new Error(
      `${url}: ${response.status}; name another release of it in scripts/python/setup-pythons.mjs`,
    );
  const bytes = Buffer.from(await response.arrayBuffer());
  const got = createHash('sha256').update(bytes).digest('hex');
  if (got !== sum) throw new Error(`${url}: expected SHA-256 ${sum}, got ${got}`);
  writeFileSync(path.join(folder, 'source.tar.xz'), bytes);
  await outputOf('tar', ['--extract', '--file', 'source.tar.xz'], { cwd: folder });
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
  await outputOf('./configure', options, { cwd });
  await outputOf('make', [`-j${os.availableParallelism()}`], { cwd });
  await outputOf('make', ['install'], { cwd });
  rmSync(partial, { recursive: true });
}

const known = Object.keys(SOURCES).flatMap((minor) => [minor, `${minor}t`]);
const { missing } = findPythons();
const lacking = missing.map(({ version }) => version).filter((version) => known.includes(version));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : lacking;
demandKnown(wanted, known, 'versions that are built here');
for (const version of wanted) await job(() => build(version), `Python ${version} was not made: `);
