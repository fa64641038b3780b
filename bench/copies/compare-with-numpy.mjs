import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { dtype } from '@array-interface/core';
import { descriptor } from '../layouts/layouts.mjs';
import { LARGEST_SIDE, nameOf } from '../layouts/random.mjs';
import { ByteStream } from './byte-stream.mjs';

const program = fileURLToPath(new URL('../peers/copied_layouts.py', import.meta.url));
/** Bytes buffered at once, in addition to the blocks. */
const PIECE = 2 ** 22;
/** The bytes between the elements of a destination; the same as in the program. */
const GAP = 0xa5;

/**
 * Performs copies, each a destination and a source like those of layouts/layouts.mjs, in every one
 * of `ways`: functions of two descriptors, by name. Compares all bytes of the destination with
 * those that NumPy of `python` produces. Throws if they differ. Takes two blocks of memory of the
 * backend, and as much in Python.
 */
export async function compareWithNumpy({ backend, ways, copies, python, seed }) {
  const args = ['-W', 'ignore', program, String(seed)];
  const numpy = spawn(python, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  numpy.stdin.on('error', () => {}); // it ended; reading reports that
  try {
    await compareAll(backend, ways, copies, numpy);
  } finally {
    numpy.kill();
  }
}

async function compareAll(backend, ways, copies, numpy) {
  const blocks = new Blocks(backend, new ByteStream(numpy.stdout));
  try {
    for (const copy of copies) {
      numpy.stdin.write(`${JSON.stringify(copy)}\n`);
      await compareOne(blocks, copy, ways);
    }
  } finally {
    blocks.dispose();
  }
}

async function compareOne(blocks, copy, ways) {
  const [to, from] = copy;
  await blocks.read(endOf(from));
  for (const [when, way] of Object.entries(ways)) {
    await blocks.clear(endOf(to));
    await way(descriptor(blocks.target, to), descriptor(blocks.source, from));
    await blocks.compare(endOf(to), `${nameOf(copy)}, ${when}`);
  }
}

/** Bytes up to the end of the last element. */
function endOf({ type, shape, byteStrides, offset }) {
  const reach = byteStrides.map((stride, axis) => (shape[axis] - 1) * stride);
  return reach.filter((step) => step > 0).reduce((a, b) => a + b, offset) + dtype(type).itemsize;
}

/** Source and destination, each large enough for every copy. */
class Blocks {
  #backend;
  #bytes;

  constructor(backend, bytes) {
    this.#backend = backend;
    this.#bytes = bytes;
    this.source = backend.empty([LARGEST_SIDE], 'uint8');
    this.target = backend.empty([LARGEST_SIDE], 'uint8');
  }

  /**
   * The program sends how many bytes follow. So lost bytes are detected here, and not reported as a
   * wrong copy.
   */
  async #expect(size) {
    for await (const { bytes } of this.#bytes.take(8, 8)) {
      const said = Buffer.from(bytes).readBigUInt64LE();
      if (said === BigInt(size)) continue;
      throw new Error(`expected NumPy to send ${size} bytes, got ${said}: the two are out of step`);
    }
  }

  /** Fills the source with NumPy's. */
  async read(size) {
    await this.#expect(size);
    for await (const { start, bytes } of this.#bytes.take(size, PIECE)) {
      await this.#backend.copy(part(this.source, start, bytes.length), bytes);
    }
  }

  async clear(size) {
    await this.#backend.fill(part(this.target, 0, size), GAP);
  }

  /** Reads the expected destination while comparing it. */
  async compare(size, name) {
    await this.#expect(size);
    for await (const { start, bytes: expected } of this.#bytes.take(size, PIECE)) {
      const found = await this.#backend.toTypedArray(part(this.target, start, expected.length));
      if (Buffer.compare(found, expected) === 0) continue;
      const wrong = expected.findIndex((byte, index) => byte !== found[index]);
      const count = expected.filter((byte, index) => byte !== found[index]).length;
      const where = `byte ${start + wrong}, the first of ${count} in ${expected.length}`;
      throw new Error(
        `${name}: expected NumPy's ${expected[wrong]} at ${where}, got ${found[wrong]}`,
      );
    }
  }

  dispose() {
    for (const block of [this.source, this.target]) block[Symbol.dispose]();
  }
}

const part = (block, start, length) => block.slice([[start, start + length]]);
