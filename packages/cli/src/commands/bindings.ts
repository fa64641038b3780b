import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** Whose OpenSSL or zlib a module of Python's calls. */
export interface Bindings {
  /** `_ssl`, `_hashlib` or `zlib`. */
  readonly module: string;
  /** How many of its functions are in the library that Python brings. */
  readonly own: number;
  /** How many are in Node, which exports its own OpenSSL and zlib. */
  readonly node: number;
}

const MODULES = ['_ssl', '_hashlib', 'zlib'];
/** A line of the loader: a symbol of one file is found in another. */
const BINDING = /binding file (\S+) \[0\] to (\S+) \[0\]: normal symbol/;
const LIBRARY = /^lib(ssl|crypto|z)[.-]/;
const TIMEOUT_MS = 60_000;

/**
 * Starts the Python that `startPython()` starts, in a process of its own, and reads from the loader's
 * report which library each function was found in. Null if that process fails. Without a module that
 * Python lacks, or that is part of libpython.
 */
export async function readBindings(): Promise<readonly Bindings[] | null> {
  const folder = mkdtempSync(join(tmpdir(), 'array-interface-bindings-'));
  try {
    const report = { LD_DEBUG: 'bindings', LD_DEBUG_OUTPUT: join(folder, 'loader') };
    const running = promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program()],
      { env: { ...process.env, ...report }, timeout: TIMEOUT_MS },
    );
    await running;
    // The programs that it starts, such as python3, write files of their own.
    return countBindings(readFileSync(join(folder, `loader.${running.child.pid}`), 'utf8'));
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function program(): string {
  const module = JSON.stringify(import.meta.resolve('@array-interface/python'));
  const imports = MODULES.map((name) => `try: import ${name}\nexcept ImportError: pass`).join('\n');
  return `import { startPython } from ${module}; startPython().exec(${JSON.stringify(imports)});`;
}

/** Counts in the loader's report of one process. */
export function countBindings(report: string): readonly Bindings[] {
  const counts = new Map<string, { own: number; node: number }>();
  for (const line of report.split('\n')) {
    const [, from = '', to = ''] = BINDING.exec(line) ?? [];
    const module = basename(from).split('.')[0] as string;
    if (!MODULES.includes(module)) continue;
    const count = counts.get(module) ?? { own: 0, node: 0 };
    if (basename(to) === basename(process.execPath)) count.node++;
    else if (LIBRARY.test(basename(to))) count.own++;
    counts.set(module, count);
  }
  return [...counts].map(([module, count]) => ({ module, ...count }));
}
