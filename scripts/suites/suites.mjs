import { existsSync } from 'node:fs';
import path from 'node:path';
import { buildTypeScript } from '../package/build.mjs';
import { isReady } from '../python/environment.mjs';
import { otherPeers, peers } from '../python/peers.mjs';
import { onAllCores } from '../run.mjs';
import { clients, installClients } from '../setup/clients.mjs';
import { homeOf, isHere, VERSIONS } from '../setup/node-versions.mjs';
import { setup } from '../setup/setup.mjs';
import { explain, provide } from '../sycl/runtime.mjs';

const chromium = process.env.CHROMIUM || '/usr/bin/chromium';
const runs = process.env.ARRAY_INTERFACE_RUNS || '100';
const seed = process.env.FAST_CHECK_SEED || String(Date.now() & 0x7fffffff);

/** A step that provides the SYCL runtime, or prints why it cannot. */
async function sycl() {
  const outcome = await provide();
  if (outcome.state === 'ready') return 0;
  console.error(explain(outcome));
  return 1;
}

function missingChromium() {
  if (existsSync(chromium)) return [];
  return [
    `Not run: the browser tests need Chromium, and there is none at ${chromium}.`,
    'Install it (Debian, Ubuntu: sudo apt install chromium), or name its file in CHROMIUM.',
  ];
}

function missingRuntimes() {
  if (isHere) return [];
  return ['Not run: Bun, Deno and the newest Node are for Linux x64, and this is another machine.'];
}

async function runtimes() {
  return {
    node: path.join(await homeOf(VERSIONS.at(-1)), 'node'),
    bun: path.join(clients, 'node_modules/@oven/bun-linux-x64/bin/bun'),
    deno: path.join(clients, 'node_modules/@deno/linux-x64-glibc/deno'),
  };
}

function missingPeers() {
  const missing = peers.filter((peer) => !isReady(peer));
  if (missing.length === 0) return [];
  const lines = missing.map(
    ({ name, what, size }) =>
      `Not run: .peers/${name} is missing or older than its pins (${what}; ${size}).`,
  );
  return [...lines, 'Make it with npm run setup:peers.'];
}

/**
 * The suites that vitest runs in addition to those of npm test, by NAME in `npm run test:NAME [--
 * ARGUMENTS OF VITEST]`. `folder` is where it runs; `arguments` and `environment` are extra.
 * `steps` run first, and end the run with any status that is not 0. `missing` lists what the
 * machine lacks, in lines; `isOptional` means that ARRAY_INTERFACE_ALLOW_MISSING permits it.
 * `notes` is printed before the tests.
 */
export const SUITES = {
  /** Core's tests in headless Chromium. */
  browser: {
    folder: 'testing/browser',
    missing: missingChromium,
    environment: () => ({ CHROMIUM: chromium }),
  },
  /** How users consume the packages: bundles, CommonJS, TypeScript, other array libraries. */
  consumers: { folder: 'testing/install/consumers' },
  /**
   * Lines and branches of core, host and cuda that their tests cover, and those of copies between
   * backends. Fails below the configured thresholds.
   */
  coverage: {
    steps: [setup, sycl],
    arguments: ['--config', 'scripts/suites/coverage.config.mjs', onAllCores],
  },
  /**
   * The programs of docs/ffi.md on this Node, the newest one, Bun and Deno. These are downloaded
   * once, from npm: into .node-versions, and with the other clients of testing/install.
   */
  ffi: {
    folder: 'testing/ffi',
    missing: missingRuntimes,
    isOptional: true,
    steps: [setup, installClients],
    environment: async () => ({ FFI_RUNTIMES: JSON.stringify(await runtimes()) }),
  },
  /**
   * Installs the packages as users do, with each client, from a registry on this machine. Uses the
   * binaries in .release/binaries.
   */
  install: { folder: 'testing/install', steps: [installClients, buildTypeScript] },
  /**
   * The tests with random cases, and those with rounds, ARRAY_INTERFACE_RUNS times as many as in
   * npm test, from the seed FAST_CHECK_SEED. Also 100,000 crossings of each kind between JavaScript
   * and Python. To be run before a release.
   */
  long: {
    steps: [setup, sycl],
    notes: () => [
      `${runs} times the random cases of npm test, seed ${seed}.`,
      `Again: ARRAY_INTERFACE_RUNS=${runs} FAST_CHECK_SEED=${seed} npm run test:long`,
    ],
    arguments: [
      '--testTimeout=0',
      '--hookTimeout=0',
      onAllCores,
      'packages/core/test/',
      'packages/cli/test/hostile-names',
      'packages/host/test/contract',
      'packages/cuda/test/contract',
      'packages/sycl/test/contract',
      'packages/host/test/lifetimes',
      'packages/cuda/test/lifetimes',
      'packages/sycl/test/lifetimes',
      'packages/python/test/crossings',
      'testing/ordering/test/',
      'testing/transfers/test/',
      'native/test/',
    ],
    environment: () => ({ ARRAY_INTERFACE_RUNS: runs, FAST_CHECK_SEED: seed }),
  },
  /** How third-party clients read this project's interfaces. */
  peers: {
    folder: 'testing/peers',
    missing: missingPeers,
    notes: () =>
      otherPeers
        .filter((peer) => !isReady(peer))
        .map(({ what, whyNot }) => `not run: what needs ${what}; ${whyNot}`),
    arguments: [onAllCores],
  },
};

/** Default fields of a suite in the table. */
export const DEFAULTS = {
  folder: '.',
  missing: () => [],
  isOptional: false,
  steps: [setup],
  notes: () => [],
  arguments: [],
  environment: () => ({}),
};
