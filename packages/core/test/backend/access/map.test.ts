import { describe, expect, test } from 'vitest';
import { replace } from '../../../src/descriptor/descriptor.js';
import { makeDescriptor } from '../../../src/index.js';
import { FakeArray, FakeBackend, type FakeMemory } from '../../support/fake-driver.js';
import { onNextTurn } from '../../support/next-turn.js';

/** Sixteen bytes that this process reaches, and what was logged since they were made. */
function setUp(hostOffset = 0n) {
  const backend = new FakeBackend();
  const { driver } = backend;
  const array = backend.empty([4], 'float32');
  const memory = array.memory as FakeMemory;
  memory.hostOffset = hostOffset;
  driver.taken();
  return { backend, driver, array, memory };
}

const code = (name: string) => expect.objectContaining({ code: name });

describe('asTypedArray', () => {
  test('waits on the memory’s own queue or the default one, and then maps it', async () => {
    const { backend, driver, array, memory } = setUp();
    const { pointer } = memory;
    expect(await array.asTypedArray()).toHaveLength(4);
    expect(driver.taken()).toEqual(['settle m0 by q0', `mapBuffer m0 (${pointer}, 16)`]);
    const queue = backend.createQueue();
    const other = backend.empty([4], 'float32', { queue });
    (other.memory as FakeMemory).hostOffset = 0n;
    await other.asTypedArray();
    expect(driver.taken()).toContain('settle m1 by made');
  });

  test('waits for the work first', async () => {
    const { driver, array, memory } = setUp();
    let end = () => {};
    memory.ending = new Promise((resolve) => {
      end = resolve;
    });
    const asked = array.asTypedArray();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(driver.taken()).toEqual(['settle m0 by q0']);
    end();
    await asked;
    expect(driver.taken()).toHaveLength(1);
  });

  test('maps the address at which this process has the memory', async () => {
    const { driver, array, memory } = setUp(-1024n);
    await array.slice([[1, 3]]).asTypedArray();
    expect(driver.taken()).toContain(`mapBuffer m0 (${memory.pointer - 1024n}, 16)`);
    const { array: odd } = setUp(2n);
    const message =
      'expected elements aligned to 4 bytes, got elements 2 bytes past a multiple of that, at byte 0 of their memory; copy';
    await expect(odd.asTypedArray()).rejects.toThrow(message);
  });

  test('lets the event loop run after buffers of 64 MiB in all', async () => {
    for (const byteLength of [4, 2 ** 20, 40 * 2 ** 20]) {
      const { backend } = setUp();
      let hasTurned = false;
      onNextTurn(() => {
        hasTurned = true;
      });
      let ended = 0;
      while (!hasTurned && ended < 200 * 2 ** 20) {
        using array = backend.empty([byteLength], 'uint8');
        (array.memory as FakeMemory).hostOffset = 0n;
        await array.asTypedArray();
        ended += Math.max(byteLength, 4096);
      }
      // Not at every one: a turn costs more than a buffer.
      expect(ended, `bytes of buffers of ${byteLength}`).toBeGreaterThan(60 * 2 ** 20);
      expect(ended, `bytes of buffers of ${byteLength}`).toBeLessThan(150 * 2 ** 20);
    }
  });

  test('needs elements at multiples of their size in the buffer over their memory, too', async () => {
    const { array, memory } = setUp();
    const { pointer } = memory;
    Object.assign(memory, { allocation: { pointer: pointer - 2n, byteLength: 32 } });
    await expect(array.asTypedArray()).rejects.toMatchObject({ code: 'ERR_NOT_ACCESSIBLE' });
  });

  test('has one buffer for each memory, or for each range if the memory has none', async () => {
    const { driver, array, memory } = setUp();
    const [first, second] = [
      await array.asTypedArray(),
      await array.slice([[1, 3]]).asTypedArray(),
    ];
    expect(second.buffer).toBe(first.buffer);
    expect([second.byteOffset, second.length]).toEqual([4, 2]);
    array[Symbol.dispose]();
    expect(driver.taken().filter((line) => line.includes('buffer'))).toHaveLength(1);
    expect(memory.freed).toBe(true);

    const trusted = setUp();
    Object.assign(trusted.memory, { allocation: null });
    const part = trusted.array.slice([[1, 3]]);
    const all = await trusted.array.asTypedArray();
    const { buffer } = await part.asTypedArray();
    expect([all.buffer.byteLength, buffer.byteLength]).toEqual([16, 8]);
    expect((await part.asTypedArray()).buffer).toBe(buffer);
    const another = await trusted.array.slice([[0, 2]]).asTypedArray(); // as long, and elsewhere
    expect(another.buffer === buffer, 'whether other bytes have the same buffer').toBe(false);
    trusted.array[Symbol.dispose]();
    const ends = trusted.driver.taken().filter((line) => line === 'end the buffer over m0');
    expect(ends).toHaveLength(3);
  });

  test('replaces a transferred buffer, and does not end that one', async () => {
    const { driver, array } = setUp();
    const { buffer } = await array.asTypedArray();
    structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    expect((await array.asTypedArray()).buffer).not.toBe(buffer);
    driver.taken();
    array[Symbol.dispose]();
    expect(driver.taken()).toEqual(['end the buffer over m0']);
  });

  test('frees memory that is disposed meanwhile, however the wait ends', async () => {
    for (const fails of [false, true]) {
      const { driver, array, memory } = setUp();
      let end = () => {};
      memory.ending = new Promise((resolve, reject) => {
        end = fails ? () => reject(new Error('the work failed')) : resolve;
      });
      const asked = array.asTypedArray();
      array[Symbol.dispose]();
      expect(memory.freed).toBe(false);
      end();
      const error = fails ? new Error('the work failed') : code('ERR_DISPOSED');
      await expect(asked).rejects.toEqual(error);
      expect(memory.freed).toBe(true);
      expect(driver.taken()).toEqual(['settle m0 by q0']);
    }
  });

  test('is refused if there is no buffer, a mask, or an element outside', async () => {
    const { driver, array, memory } = setUp();
    driver.exposes = false;
    const message = expect.stringContaining('16 bytes of external memory');
    await expect(array.asTypedArray()).rejects.toMatchObject({
      code: 'ERR_NOT_ACCESSIBLE',
      message,
    });

    const over = (changes: object) =>
      new FakeArray(memory, replace(array.descriptor, changes), array).asTypedArray();
    const mask = makeDescriptor({ pointer: memory.pointer, shape: [4], dtype: 'bool' });
    await expect(over({ mask })).rejects.toEqual(code('ERR_MASK'));
    const beyond = over({ pointer: memory.pointer + 4n });
    await expect(beyond).rejects.toEqual(code('ERR_OUT_OF_BOUNDS'));
  });

  test('refuses 16-bit floats without a typed array by name', async () => {
    const { array } = setUp();
    const message = expect.stringContaining('|V2');
    await expect(array.view('bfloat16').asTypedArray()).rejects.toMatchObject({
      code: 'ERR_DTYPE_UNSUPPORTED',
      message,
    });
    expect(await array.view('|V2').asTypedArray()).toBeInstanceOf(Uint8Array);
  });
});
