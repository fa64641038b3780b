import { execFileSync } from 'node:child_process';
import { randomFill } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, read, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, inflateSync } from 'node:zlib';
import type { Backend, BackendArray, OwnedArray } from '@array-interface/core';
import type { MemoryKind } from '@array-interface/core/backend';
import { describe, expect, test } from 'vitest';
import { collect } from '../support/collect.js';
import { liveMemory } from '../support/live-memory.js';
import { pattern } from '../support/pattern.js';
import type { BackendSubject } from '../support/subject.js';

const LENGTH = 4096;
/** More than the threads in Node's pool, so that later tasks wait for these. */
const READS = 6;

/** A named pipe, from which a thread reads until it is written to. */
class Pipe {
  readonly #folder = mkdtempSync(join(tmpdir(), 'array-interface-pipe-'));
  readonly #file: number;

  constructor() {
    const path = join(this.#folder, 'pipe');
    execFileSync('mkfifo', [path]);
    this.#file = openSync(path, 'r+');
  }

  read(into: Uint8Array): Promise<unknown> {
    return promisify(read)(this.#file, into, 0, into.length, null);
  }

  write(bytes: Uint8Array): void {
    writeSync(this.#file, bytes);
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true });
  }
}

/** Arrays of a kind of memory, with the same elements. */
async function make(backend: Backend, memoryKind: MemoryKind, count: number, value: Uint8Array) {
  const arrays: OwnedArray<BackendArray>[] = [];
  for (let i = 0; i < count; i++) {
    const array = backend.empty([LENGTH], 'uint8', { memoryKind });
    await backend.copy(array, value);
    await array.synchronize();
    arrays.push(array);
  }
  return arrays;
}

/**
 * Typed arrays of arrays that are disposed while Node's thread pool uses them. The pool has only
 * their address.
 */
export function threadPool(subject: BackendSubject): void {
  const { backend, inPlace } = subject;
  const kinds = process.platform === 'win32' ? [] : inPlace;

  describe.each(kinds)('%s memory that the thread pool uses', (memoryKind) => {
    test('is not reused when its array is disposed, and is freed later', async () => {
      const goesBack = await liveMemory(subject, { garbage: true });
      const ones = new Uint8Array(LENGTH).fill(1);
      const source = pattern(LENGTH, 3);
      const pipe = new Pipe();
      const begin = async () => {
        const arrays = await make(backend, memoryKind, READS + 2, source);
        const seen: Uint8Array[] = [];
        for (const array of arrays) seen.push((await array.asTypedArray()) as Uint8Array);
        const [random, packed, ...into] = seen as [Uint8Array, Uint8Array, ...Uint8Array[]];
        const work = into.map((one) => pipe.read(one));
        work.push(promisify<Uint8Array, Uint8Array>(randomFill)(random));
        const packs = promisify<Uint8Array, Buffer>(deflate)(packed);
        for (const array of arrays) array[Symbol.dispose]();
        for (const one of seen) expect([one.length, one.buffer.byteLength]).toEqual([0, 0]);
        return { work: Promise.all(work).then(() => {}), packs };
      };
      const { work, packs } = await begin();
      await collect(); // which must not free the disposed memory either
      const others = await make(backend, memoryKind, 2 * READS, ones);
      pipe.write(new Uint8Array(READS * LENGTH).fill(0xee));
      await work;
      expect(new Uint8Array(inflateSync(await packs))).toEqual(source);
      for (const other of others) {
        expect(await backend.toTypedArray(other)).toEqual(ones);
        other[Symbol.dispose]();
      }
      pipe.close();
      await goesBack();
    });
  });
}
