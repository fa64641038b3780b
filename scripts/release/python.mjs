import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inNewFolder } from '../new-folder.mjs';
import { makeHashed } from '../python/hashed.mjs';
import { job, root } from '../run.mjs';

// node scripts/release/python.mjs: builds the wheel and the source archive of the pip package, with
// the version of the npm packages, in .release/python. Then tests that the wheel installs and
// imports. The hashes of its tools are in scripts/release/python.

const source = path.join(root, 'pip');
const destination = path.join(root, '.release', 'python');

/** The version of the release, which all packages share. */
function releaseVersion() {
  const manifest = path.join(root, 'packages', 'core', 'package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** The sources, with the version and the licence of the release. */
function prepared(work, version) {
  const folder = path.join(work, 'python');
  mkdirSync(folder);
  const isSource = (file) => !/__pycache__|\.pyc$/.test(file);
  for (const one of ['README.md', 'pyproject.toml', 'src', 'tests']) {
    cpSync(path.join(source, one), path.join(folder, one), { recursive: true, filter: isSource });
  }
  cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  const file = path.join(folder, 'pyproject.toml');
  const text = readFileSync(file, 'utf8');
  const changed = text.replace('version = "0.0.0"', `version = "${version}"`);
  if (!changed.includes(`\nversion = "${version}"\n`)) {
    throw new Error('expected pip/pyproject.toml to say version = "0.0.0", got another');
  }
  writeFileSync(file, changed);
  return folder;
}

/** The files of the package that an archive must contain: its sources. */
function sourcesOf(folder) {
  return readdirSync(path.join(folder, 'src', 'array_interface')).map(
    (one) => `array_interface/${one}`,
  );
}

const LIST = 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\\n")';

function check(python, folder, version) {
  const files = readdirSync(destination).sort();
  const expected = [
    `array_interface-${version}-py3-none-any.whl`,
    `array_interface-${version}.tar.gz`,
  ];
  demandSame('.release/python', files, expected);
  const [wheel] = expected.map((one) => path.join(destination, one));
  const info = `array_interface-${version}.dist-info`;
  const about = ['METADATA', 'WHEEL', 'licenses/LICENSE', 'RECORD'].map((one) => `${info}/${one}`);
  const held = run(python, ['-I', '-c', LIST, wheel]).trim().split('\n');
  demandSame(wheel, held.sort(), [...sourcesOf(folder), ...about].sort());
  run(python, ['-I', '-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', wheel]);
  const program =
    'import array_interface as a, importlib.metadata as m; a.share; print(m.version("array-interface"))';
  demandSame(wheel, [run(python, ['-I', '-c', program]).trim()], [version]);
}

function demandSame(what, got, expected) {
  if (got.join() === expected.join()) return;
  throw new Error(`${what}: expected ${expected.join(', ')}, got ${got.join(', ')}`);
}

function run(program, args) {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

async function make(work) {
  const version = releaseVersion();
  const folder = prepared(work, version);
  // It imports no module from its working directory.
  const python = await makeHashed(
    path.join(work, 'tools'),
    path.join(import.meta.dirname, 'python', 'requirements.txt'),
  );
  rmSync(destination, { recursive: true, force: true });
  run(python, ['-I', '-m', 'build', '--no-isolation', '--outdir', destination, folder]);
  check(python, folder, version);
  console.log(`${readdirSync(destination).join(', ')}: made and imported`);
}

await job(() => inNewFolder(make), 'The pip package is not made: ');
