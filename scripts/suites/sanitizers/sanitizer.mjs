import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../run.mjs';

const leaks = path.join(root, 'scripts', 'suites', 'sanitizers', 'leaks.txt');

function options(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(':');
}

/** The location of one run's reports, and the environment that makes its processes write there. */
export class Reports {
  #folder = mkdtempSync(path.join(tmpdir(), 'sanitizers-'));

  /** Without `leaks`, does not look for leaks: CPython keeps memory until its process ends. */
  environment({ leaks: looksForLeaks = true } = {}) {
    const common = { halt_on_error: 1, log_path: path.join(this.#folder, 'report') };
    const addresses = {
      ...common,
      allocator_may_return_null: 1,
      detect_leaks: looksForLeaks ? 1 : 0,
      detect_stack_use_after_return: 1,
      quarantine_size_mb: 32,
      // The SYCL runtime's threads set their own signal stack, which the sanitizer must not unmap.
      use_sigaltstack: 0,
    };
    const threads = {
      ...common,
      allocator_may_return_null: 1,
      atexit_sleep_ms: 0,
      // Node, Python and their libraries are built without it: it sees some of their accesses, but
      // not how they order them.
      ignore_noninstrumented_modules: 1,
    };
    return {
      ASAN_OPTIONS: options(addresses),
      LSAN_OPTIONS: options({ suppressions: leaks, print_suppressions: 0 }),
      TSAN_OPTIONS: options(threads),
      UBSAN_OPTIONS: options({ ...common, print_stacktrace: 1 }),
    };
  }

  /**
   * Returns all reports as one text, from the files or from a process's output, and removes the
   * files. Omits the warning about an allocation that is refused for its size.
   */
  end(written) {
    const files = readdirSync(this.#folder).map((name) => path.join(this.#folder, name));
    const texts = [written, ...files.map((file) => readFileSync(file, 'utf8'))];
    rmSync(this.#folder, { recursive: true });
    const found =
      /ERROR: \w+Sanitizer|runtime error: |WARNING: ThreadSanitizer|Sanitizer has encountered/;
    return texts.filter((text) => found.test(text)).join('\n');
  }
}

const LIBRARIES = { addresses: 'libasan.so', threads: 'libtsan.so' };

/** LD_PRELOAD: the library that must be loaded before Node, which is built without it. */
export function preload(kind) {
  const library = LIBRARIES[kind];
  const [compiler, ...more] = (process.env.CXX || 'c++').split(' ');
  const ask = [...more, `-print-file-name=${library}`];
  const file = execFileSync(compiler, ask, { encoding: 'utf8' }).trim();
  if (path.isAbsolute(file)) return file;
  throw new Error(`expected ${compiler} to have ${library}; install it, it comes with g++`);
}
