import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineKernel, type Kernel } from '@array-interface/core/kernel';
import { libraryPath } from '@array-interface/cuda-simulator';
import { run } from '../support/run-command.js';

/** Whether the compilers are there. Without them what needs them is skipped. */
export const hasClang: boolean = ['clang-15', 'llvm-spirv-15'].every(
  (tool) => spawnSync(tool, ['--version']).status === 0,
);

/** A folder for sources and modules, with the compilers that the tests mean. */
export class Workshop {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'built-'));
  #count = 0;

  path(name: string): string {
    return path.join(this.folder, name);
  }

  /** Builds a source, and returns what the command said. */
  async build(
    source: string,
    ...options: readonly string[]
  ): Promise<{ status: number | null; stdout: string; stderr: string; module: string }> {
    const name = `k${this.#count++}`;
    writeFileSync(this.path(`${name}.cl`), source);
    const tools = ['--clang', 'clang-15', '--llvm-spirv', 'llvm-spirv-15'];
    const args = ['kernel', 'build', `${name}.cl`, ...tools, ...options];
    const answer = await run(args, '', { cwd: this.folder });
    return { ...answer, module: this.path(`${name}.kernel.ts`) };
  }

  /** Builds a source, and defines its kernels. Throws what the command said if it refuses it. */
  async kernels(
    source: string,
    ...options: readonly string[]
  ): Promise<Readonly<Record<string, Kernel>>> {
    const { status, stderr, module } = await this.build(source, ...options);
    if (status !== 0) throw new Error(stderr);
    const made = (await import(/* @vite-ignore */ pathToFileURL(module).href)) as object;
    const entries = Object.entries(made) as [string, Kernel][];
    return Object.fromEntries(entries.map(([name, kernel]) => [name, defineKernel(kernel)]));
  }

  text(module: string): string {
    return readFileSync(module, 'utf8');
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** The two backends that run what the command builds: CUDA on its simulator, and SYCL. */
export async function backends() {
  process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
  const { cuda } = await import('@array-interface/cuda');
  const { sycl } = await import('@array-interface/sycl');
  return { cuda, sycl };
}
