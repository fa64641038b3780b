import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const generated = new URL('../generated/', import.meta.url);

/** Where PyPI's nvidia-cuda-nvcc-cu12 and nvidia-cuda-nvcc put it, below the package `nvidia`. */
const IN_PACKAGES = ['cuda_nvcc/bin/ptxas', 'cu13/bin/ptxas'];

/** The program: what PTXAS names, that on PATH, or that of a package of python3; null where there is none. */
export function findPtxas() {
  if (process.env.PTXAS) return process.env.PTXAS;
  if (spawnSync('ptxas', ['--version']).error === undefined) return 'ptxas';
  const list = 'import nvidia; print(*nvidia.__path__, sep="\\n")';
  const { stdout } = spawnSync('python3', ['-c', list], { encoding: 'utf8' });
  const folders = (stdout ?? '').split('\n').filter(Boolean);
  const files = folders.flatMap((folder) => IN_PACKAGES.map((name) => join(folder, name)));
  return files.find(existsSync) ?? null;
}

/** What the program prints. Throws where it cannot be run. */
function printed(ptxas, args) {
  const { error, stdout } = spawnSync(ptxas, args, { encoding: 'utf8' });
  if (error) throw new Error(`expected ptxas at ${ptxas}, got ${error.code}`);
  return stdout;
}

/** The release that the program says it is of. */
export function versionOf(ptxas) {
  const stdout = printed(ptxas, ['--version']);
  const [, version] = /release [\d.]+, V([\d.]+)/.exec(stdout) ?? [];
  if (version === undefined) throw new Error(`expected ${ptxas} to say its release, got ${stdout}`);
  return version;
}

/** The GPUs of a list that the program knows. */
export function knownTo(ptxas, architectures) {
  const names = new Set(printed(ptxas, ['--help']).match(/(?<=')sm_\d+(?=')/g));
  const found = architectures.filter((name) => names.has(name));
  if (found.length === 0) throw new Error(`expected ${ptxas} to name GPUs in its help, got none`);
  return found;
}

/** The checked-in PTX by the name of its file. */
export function readPtx() {
  const files = readdirSync(generated).filter((name) => name.endsWith('.ptx'));
  if (files.length === 0) throw new Error('expected PTX in generated, got none');
  return Object.fromEntries(
    files.map((file) => [file, readFileSync(new URL(file, generated), 'utf8')]),
  );
}

/** What the program says of a text of PTX for one GPU, in detail. Throws what it refuses. */
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
