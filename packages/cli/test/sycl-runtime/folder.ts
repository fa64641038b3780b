import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base, vi } from 'vitest';
import type { Found } from '../../src/sycl-runtime/find.js';
import { type Outcome, provideSyclRuntime } from '../../src/sycl-runtime/provide.js';
import type { Requirement } from '../../src/sycl-runtime/requirements.js';
import { fakeIndex, fakePins, pythonMinor } from './fake-index.js';

// Making a virtual environment takes seconds, and more on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

/** A new folder in which a test provides a runtime of small wheels. */
export class Folder {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'sycl-runtime-'));
  readonly target = path.join(this.directory, '.sycl-runtime');
  readonly partial = `${this.target}.partial`;
  readonly library = path.join(
    this.target,
    `lib/python3.${pythonMinor()}/site-packages/dpctl/libDPCTLSyclInterface.so`,
  );
  /** What was logged. */
  readonly lines: string[] = [];
  /** What the wheels are. */
  pins: readonly Requirement[] = [];

  provide(env: NodeJS.ProcessEnv, find: () => Found = () => this.#find()): Promise<Outcome> {
    return provideSyclRuntime({
      target: this.target,
      find,
      packages: () => this.pins,
      env,
      log: (line) => this.lines.push(line),
    });
  }

  /** Makes an index that has all wheels. */
  index(): NodeJS.ProcessEnv {
    const folder = path.join(this.directory, 'index');
    mkdirSync(folder);
    const env = fakeIndex(folder);
    this.pins = fakePins(folder);
    return env;
  }

  /** Makes what an interrupted attempt leaves: all wheels, and an index that has nothing more. */
  interrupted(): NodeJS.ProcessEnv {
    const wheels = path.join(this.partial, 'wheels');
    mkdirSync(wheels, { recursive: true, mode: 0o700 });
    const env = fakeIndex(wheels);
    this.pins = fakePins(wheels);
    return { ...env, PIP_FIND_LINKS: path.join(this.directory, 'nowhere') };
  }

  // Takes any library for a runtime: those that the tests make are none.
  #find(): Found {
    return existsSync(this.library)
      ? { available: true, library: this.library }
      : { available: false, reason: 'no SYCL runtime was found', tried: ['everything'] };
  }
}

/** A test with a folder of its own. */
export const test = base.extend<{ readonly folder: Folder }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads which fixtures it needs
  folder: async ({}, use) => {
    const folder = new Folder();
    await use(folder);
    rmSync(folder.directory, { recursive: true });
  },
});
