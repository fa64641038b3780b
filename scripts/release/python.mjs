import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { inNewFolder } from '../new-folder.mjs';
import { makeHashed } from '../python/hashed.mjs';
import { findPythons } from '../python/versions.mjs';
import { isProgram, job, root } from '../run.mjs';

// node scripts/release/python.mjs: builds the wheel and the source archive of the pip package, with
// the version of the npm packages, in .release/python. Checks them with twine, compares their
// contents with the sources, and installs the wheel from an index on this disk into an empty
// environment of each Python of this machine, where the tests of the source archive must pass. The
// hashes of the tools are in scripts/release/python.

const source = path.join(root, 'pip');
const destination = path.join(root, '.release', 'python');

/** The files of the package that its archives have, besides those of `src` and `tests`. */
const ABOUT = ['CHANGELOG.md', 'LICENSE', 'README.md', 'pyproject.toml'];

/** Tests that need nothing but the package. The others need NumPy, or a CUDA driver. */
const TESTS = ['test_host', 'test_threads', 'test_trusted_path'];

/** The version of the release, which all packages share. */
export function releaseVersion() {
  const manifest = path.join(root, 'packages', 'core', 'package.json');
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** The texts of pyproject.toml and of the changelog, with the version of a release. Throws if they have no place for it. */
export function withVersion({ project, changelog }, version) {
  const versioned = project.replace('\nversion = "0.0.0"\n', `\nversion = "${version}"\n`);
  if (versioned === project && version !== '0.0.0') {
    throw new Error('expected pip/pyproject.toml to say version = "0.0.0", got another');
  }
  const dated = changelog.replace('\n## Unreleased\n', `\n## ${version}\n`);
  if (!dated.includes(`\n## ${version}\n`)) {
    throw new Error(
      `expected pip/CHANGELOG.md to have "## Unreleased" or "## ${version}", got neither`,
    );
  }
  return { project: versioned, changelog: dated };
}

/** The sources, with the version of the release. */
function prepared(work, version) {
  const folder = path.join(work, 'python');
  mkdirSync(folder);
  const isSource = (file) => !/__pycache__|\.pyc$/.test(file);
  for (const one of [...ABOUT, 'src', 'tests']) {
    cpSync(path.join(source, one), path.join(folder, one), { recursive: true, filter: isSource });
  }
  const [project, changelog] = ['pyproject.toml', 'CHANGELOG.md'].map((one) =>
    path.join(folder, one),
  );
  const texts = withVersion(
    { project: readFileSync(project, 'utf8'), changelog: readFileSync(changelog, 'utf8') },
    version,
  );
  writeFileSync(project, texts.project);
  writeFileSync(changelog, texts.changelog);
  return folder;
}

/** The files in a folder, with its name before them. */
function within(folder, name) {
  return readdirSync(path.join(folder, name), { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? within(folder, `${name}/${one.name}`) : `${name}/${one.name}`,
  );
}

const OF_WHEEL = 'import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep="\\n")';
const OF_ARCHIVE = 'import sys, tarfile; print(*tarfile.open(sys.argv[1]).getnames(), sep="\\n")';

/** Compares the contents of both archives with the sources. Returns their paths. */
function checkContents(python, folder, version) {
  const name = `array_interface-${version}`;
  const [wheel, archive] = [`${name}-py3-none-any.whl`, `${name}.tar.gz`];
  demandSame('.release/python', readdirSync(destination), [wheel, archive]);
  const files = { wheel: path.join(destination, wheel), archive: path.join(destination, archive) };
  const info = ['METADATA', 'WHEEL', 'licenses/LICENSE', 'RECORD'];
  demandSame(wheel, run(python, ['-I', '-c', OF_WHEEL, files.wheel]).trim().split('\n'), [
    ...within(path.join(folder, 'src'), 'array_interface'),
    ...info.map((one) => `${name}.dist-info/${one}`),
  ]);
  // hatchling adds .gitignore where there is one, and PKG-INFO.
  const sources = [...ABOUT, 'PKG-INFO', ...within(folder, 'src'), ...within(folder, 'tests')];
  demandSame(
    archive,
    run(python, ['-I', '-c', OF_ARCHIVE, files.archive]).trim().split('\n'),
    sources.map((one) => `${name}/${one}`),
  );
  return files;
}

/** Makes an index of the archives, as PyPI's: a page of links with their hashes. Returns its address. */
function indexOf(work, files) {
  const folder = path.join(work, 'index', 'array-interface');
  mkdirSync(folder, { recursive: true });
  const links = Object.values(files).map((file) => {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    cpSync(file, path.join(folder, path.basename(file)));
    return `<a href="${path.basename(file)}#sha256=${hash}">${path.basename(file)}</a><br>`;
  });
  writeFileSync(path.join(folder, 'index.html'), `<!DOCTYPE html>\n${links.join('\n')}\n`);
  return `file://${path.dirname(folder)}`;
}

const INSTALLED = `
import array_interface, importlib.metadata as metadata, json
about = metadata.metadata("array-interface")
print(json.dumps([about["Version"], about["License-Expression"], array_interface.__file__, metadata.requires("array-interface")]))
`;

/** Installs the release from the index into an empty environment of a Python, and runs its tests there. */
function prove(work, index, { program, full }, version) {
  const environment = path.join(work, `environment-${full}`);
  run(program, ['-I', '-m', 'venv', environment]);
  const python = path.join(environment, 'bin', 'python');
  const options = [
    '--quiet',
    '--disable-pip-version-check',
    '--no-cache-dir',
    '--index-url',
    index,
  ];
  const install = ['-m', 'pip', '--isolated', 'install', ...options];
  run(python, ['-I', ...install, '--only-binary=:all:', `array-interface==${version}`]);
  const [got, licence, file, needs] = JSON.parse(run(python, ['-I', '-c', INSTALLED]));
  demandSame(`Python ${full}`, [got, licence, needs], [version, 'MIT', null]);
  if (!file.startsWith(environment)) throw new Error(`expected the installed package, got ${file}`);
  const tests = path.join(work, `array_interface-${version}`, 'tests');
  const strict = ['-W', 'error::ResourceWarning', '-m', 'unittest', '--quiet', ...TESTS];
  const env = { ...process.env, PYTHONPATH: '' };
  execFileSync(python, strict, { cwd: tests, env, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log(`Python ${full}: installed from the index, and its tests pass`);
}

/** A Python of each version on this machine. Says which versions are missing. */
function pythons() {
  const { found, missing } = findPythons();
  const versions = new Map(found.map((one) => [one.version, one]));
  for (const { version, reason } of missing) {
    console.log(`not run: the pip package in Python ${version}: ${reason}`);
  }
  if (versions.size === 0) throw new Error('expected a Python from 3.10 on, got none');
  return [...versions.values()];
}

function demandSame(what, got, expected) {
  const [is, should] = [got, expected].map((list) => [...list].sort().join(', '));
  if (is !== should) throw new Error(`${what}: expected ${should}, got ${is}`);
}

function run(program, args) {
  return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

const toolsOf = (work, name) =>
  makeHashed(path.join(work, name), path.join(import.meta.dirname, 'python', `${name}.txt`));

async function make(work) {
  const version = releaseVersion();
  const folder = prepared(work, version);
  // Their Pythons import no module from the working directory.
  const [builder, checker] = [await toolsOf(work, 'build'), await toolsOf(work, 'check')];
  rmSync(destination, { recursive: true, force: true });
  run(builder, ['-I', '-m', 'build', '--no-isolation', '--outdir', destination, folder]);
  const files = checkContents(builder, folder, version);
  console.log(run(checker, ['-I', '-m', 'twine', 'check', '--strict', ...Object.values(files)]));
  run(builder, ['-I', '-m', 'tarfile', '-e', files.archive, work]);
  const index = indexOf(work, files);
  for (const python of pythons()) prove(work, index, python, version);
  console.log(
    `${Object.values(files)
      .map((file) => path.basename(file))
      .join(', ')}: made and tested`,
  );
}

if (isProgram(import.meta)) await job(() => inNewFolder(make), 'The pip package is not made: ');
