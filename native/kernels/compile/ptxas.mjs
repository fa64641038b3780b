import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const generated = new URL('../generated/', import.meta.url);

/**
 * Paths of ptxas in PyPI's nvidia-cuda-nvcc-cu12 and nvidia-cuda-nvcc, relative to the package
 * `nvidia`.
 */
const IN_PACKAGES = ['cuda_nvcc/bin/ptxas', 'cu13/bin/ptxas'];

/**
 * Returns the path of ptxas: from PTXAS, from PATH, or from a package of python3. Null if there is
 * none.
 */
export function findPtxas() {
  if (process.env.PTXAS) return process.env.PTXAS;
  if (spawnSync('ptxas', ['--version']).error === undefined) return 'ptxas';
  const list = 'import nvidia; print(*nvidia.__path__, sep="\\n")';
  const { stdout } = spawnSync('python3', ['-c', list], { encoding: 'utf8' });
  const folders = (stdout ?? '').split('\n').filter(Boolean);
  const files = folders.flatMap((folder) => IN_PACKAGES.map((name) => join(folder, name)));
  return files.find(existsSync) ?? null;
}

/** Returns what ptxas prints. Throws if it cannot be run. */
function printed(ptxas, args) {
  const { error, stdout } = spawnSync(ptxas, args, { encoding: 'utf8' });
  if (error) throw new Error(`expected ptxas at ${ptxas}, got ${error.code}`);
  return stdout;
}

/** Returns the CUDA release that ptxas reports. */
export function versionOf(ptxas) {
  const stdout = printed(ptxas, ['--version']);
  const [, version] = /release [\d.]+, V([\d.]+)/.exec(stdout) ?? [];
  if (version === undefined) throw new Error(`expected ${ptxas} to say its release, got ${stdout}`);
  return version;
}

/** Returns the architectures of a list that ptxas supports. */
export function knownTo(ptxas, architectures) {
  const names = new Set(printed(ptxas, ['--help']).match(/(?<=')sm_\d+(?=')/g));
  const found = architectures.filter((name) => names.has(name));
  if (found.length === 0) throw new Error(`expected ${ptxas} to name GPUs in its help, got none`);
  return found;
}

/** Returns the checked-in PTX by file name. */
export function readPtx() {
  const files = readdirSync(generated).filter((name) => name.endsWith('.ptx'));
  if (files.length === 0) throw new Error('expected PTX in generated, got none');
  return Object.fromEntries(
    files.map((file) => [file, readFileSync(new URL(file, generated), 'utf8')]),
  );
}

/**
 * Assembles PTX for one architecture and returns ptxas's verbose output. Throws if ptxas rejects
 * it.
 */
export function assemble(ptxas, ptx, architecture) {
  const work = mkdtempSync(join(tmpdir(), 'ptx-'));
  try {
    const file = join(work, 'kernels.ptx');
    writeFileSync(file, ptx);
    const args = ['-v', `-arch=${architecture}`, file, '-o', join(work, 'kernels.cubin')];
    const { error, status, stdout, stderr } = spawnSync(ptxas, args, { encoding: 'utf8' });
    if (error || status !== 0) throw error ?? new Error(stderr);
    return stdout + stderr;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
