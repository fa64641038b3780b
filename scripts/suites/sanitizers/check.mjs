import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { configDefaults } from 'vitest/config';
import { startVitest } from 'vitest/node';
import { capture, root } from '../../run.mjs';
import { preload, Reports } from './sanitizer.mjs';

/**
 * Runs a package's tests with its sanitized addon, in worker processes that preload the sanitizer;
 * vitest's own process does not. Returns what failed and what was reported.
 */
export async function tests(
  folder,
  kind,
  addonFolder,
  { env = {}, exclude = [], only, quiet = false, leaks = true } = {},
) {
  const reports = new Reports();
  // UndefinedBehaviorSanitizer writes here if AddressSanitizer is in the same process.
  let written = '';
  const errors = new Writable({
    write(chunk, _, done) {
      written += chunk;
      if (!quiet) process.stderr.write(chunk);
      done();
    },
  });
  // Each worker process is piped here, and the first to end would end the stream for all.
  errors.end = () => errors;
  const vitest = await startVitest(
    'test',
    [],
    {
      root: path.join(root, folder),
      run: true,
      watch: false,
      // If another stage is running, a sanitized process takes tens of seconds to start.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      exclude: [...configDefaults.exclude, ...exclude],
      maxWorkers: os.availableParallelism(),
      reporters: [quiet ? {} : 'default'],
      ...(only && { testNamePattern: only }),
      env: {
        ...reports.environment({ leaks }),
        ...env,
        LD_PRELOAD: preload(kind),
        ARRAY_INTERFACE_ADDON_DIR: addonFolder,
      },
    },
    {},
    { stderr: errors },
  );
  const modules = vitest.state.getTestModules();
  const all = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = all.filter((test) => test.result().state === 'passed').length;
  const failed =
    modules.filter((module) => !module.ok()).length + vitest.state.getUnhandledErrors().length;
  await vitest.close();
  return { passed, failed, report: reports.end(written) };
}

/** Runs a program built with a sanitizer. Fails if the program exits with a status other than 0. */
export async function program(file, args, { env = {}, leaks = true } = {}) {
  const reports = new Reports();
  const { status, output } = await capture(file, args, {
    env: { ...process.env, ...reports.environment({ leaks }), ...env },
    limit: 1_800_000,
  });
  return { failed: status === 0 ? 0 : 1, output, report: reports.end(output) };
}
