import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Copy, descriptor, LAYOUTS, type Side } from '@array-interface/bench/layouts';
import { LARGEST_SIDE, nameOf, randomLayouts } from '@array-interface/bench/random-layouts';
import { type ArrayDescriptor, dtype } from '@array-interface/core';
import type { Backend, BackendArray, Owned } from '@array-interface/core/backend';
import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';
import { host } from '@array-interface/host';
import { randomSeed, runs } from '@array-interface/random';
import { sycl } from '@array-interface/sycl';
import { expect, test } from 'vitest';
import { ByteStream } from './byte-stream.js';
import { pythonOf } from './python.js';

// The very copies that are measured, at their own size, byte for byte as NumPy does them.

process.env.ARRAY_INTERFACE_LIBCUDA ||= libraryPath;

const program = fileURLToPath(new URL('../python/benchmark_layouts.py', import.meta.url));
const AN_HOUR = 3_600_000;
/** Bytes that are there at once, besides the blocks. */
const PIECE = 2 ** 22;
/** As in the program. */
const GAP = 0xa5;

const FIXED_SEED = 1;
const seed = randomSeed();

/** Those of the tables, those of a seed that stays, and some that were never drawn before. */
const copies: readonly Copy[] = [
  ...Object.values(LAYOUTS),
  ...randomLayouts(FIXED_SEED, runs(6)),
  ...randomLayouts(seed, runs(6)),
];

/** Bytes up to the last element's last. */
function endOf({ type, shape, byteStrides, offset }: Side): number {
  const reach = byteStrides.map((stride, axis) => (shape[axis] as number) * stride - stride);
  return reach.filter((step) => step > 0).reduce((a, b) => a + b, offset) + dtype(type).itemsize;
}

type Way = (to: ArrayDescriptor, from: ArrayDescriptor) => Promise<void>;
/** How a backend does a copy, and how else, by what is said of it. */
type Ways = Readonly<Record<string, Way>>;

const casting = { casting: 'unsafe' } as const;

const onHost: Ways = {
  'one thread': (to, from) => host.copy(to, from, casting),
  threads: (to, from) => host.copy(to, from, { ...casting, threads: 3 }),
};

/** With the kernel for all, then with the one that this has built. */
function onDevice(backend: Backend): Ways {
  const copy: Way = (to, from) => backend.copy(to, from, casting);
  const later: Way = async (to, from) => {
    await backend.kernelsBuilt();
    await copy(to, from);
  };
  return { 'at first': copy, 'with kernels built': later };
}

/** Source and destination, of which each is large enough for every copy. */
class Blocks {
  readonly #backend: Backend;
  readonly source: Owned<BackendArray>;
  readonly target: Owned<BackendArray>;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.source = backend.empty([LARGEST_SIDE], 'uint8');
    this.target = backend.empty([LARGEST_SIDE], 'uint8');
  }

  async read(bytes: ByteStream, size: number): Promise<void> {
    for await (const { start, bytes: piece } of bytes.take(size, PIECE)) {
      await this.#backend.copy(part(this.source, start, piece.length), piece);
    }
  }

  async clear(size: number): Promise<void> {
    await this.#backend.fill(part(this.target, 0, size), GAP);
  }

  /** Reads what the destination must hold while it is compared. */
  async compare(bytes: ByteStream, size: number, name: string): Promise<void> {
    for await (const { start, bytes: expected } of bytes.take(size, PIECE)) {
      const found = await this.#backend.toTypedArray(part(this.target, start, expected.length));
      if (Buffer.compare(found as Uint8Array, expected) === 0) continue;
      const wrong = expected.findIndex((byte, index) => byte !== found[index]);
      const count = expected.filter((byte, index) => byte !== found[index]).length;
      const where = `byte ${start + wrong}, the first of ${count} in ${expected.length}`;
      expect.fail(`${name}: expected NumPy's ${expected[wrong]} at ${where}, got ${found[wrong]}`);
    }
  }

  [Symbol.dispose](): void {
    for (const block of [this.source, this.target]) block[Symbol.dispose]();
  }
}

const part = (block: BackendArray, start: number, length: number) =>
  block.slice([[start, start + length]]);

function numpy(): ChildProcess {
  const args = ['-W', 'ignore', program, String(seed)];
  return spawn(pythonOf('sycl'), args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function compareAll(backend: Backend, ways: Ways, python: ChildProcess): Promise<void> {
  const bytes = new ByteStream(python.stdout as NodeJS.ReadableStream as AsyncIterable<Uint8Array>);
  using blocks = new Blocks(backend);
  for (const copy of copies) {
    python.stdin?.write(`${JSON.stringify(copy)}\n`);
    const [to, from] = copy;
    await blocks.read(bytes, endOf(from));
    for (const [when, way] of Object.entries(ways)) {
      await blocks.clear(endOf(to));
      await way(descriptor(blocks.target, to), descriptor(blocks.source, from));
      await blocks.compare(bytes, endOf(to), `${nameOf(copy)}, ${when}`);
    }
  }
}

test.each([
  ['host', host, onHost],
  ['sycl', sycl, onDevice(sycl)],
  ['the simulator', cuda, onDevice(cuda)],
] as const)(
  `layouts of the benchmark on %s are NumPy's, seed ${seed}`,
  async (_, backend, ways) => {
    const python = numpy();
    try {
      await compareAll(backend, ways, python);
    } finally {
      python.kill();
    }
  },
  AN_HOUR,
);
