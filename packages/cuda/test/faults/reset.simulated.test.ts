import { describe, expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

// Other code in the process resets a device that this library uses: with cudaDeviceReset, or by
// releasing the primary context once too often.

const ENDS = {
  'was reset': 'probe.resetPrimary(0);',
  // A driver gives the new one the same handle.
  'was reset, and lives again':
    'probe.resetPrimary(0); probe.makeCurrent(0); probe.createStream();',
  'lost all its holds': 'probe.releasePrimary(0);',
};

/** What became of each use of what was made before the end, in order. */
interface Answer {
  readonly pending: readonly string[];
  readonly uses: Readonly<Record<string, string>>;
  readonly message: string;
  /** Calls that would touch what is gone. */
  readonly touched: readonly string[];
  readonly other: number;
}

function afterEnd(end: string, env: Record<string, string>): Promise<Answer> {
  return childAnswer<Answer>(
    `import { createRequire } from 'node:module';
    import { cuda, liveAllocations } from '@array-interface/cuda';
    const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
    const pool = cuda.createPool();
    const stream = cuda.createStream();
    const kinds = [{}, { queue: stream }, { memoryKind: 'shared' }, { memoryKind: 'host' }, { pool }];
    const arrays = [];
    for (const options of kinds) {
      const array = cuda.empty([1024], 'uint32', options);
      await cuda.fill(array, arrays.length);
      void array.__cuda_array_interface__;
      arrays.push(array);
    }
    const event = stream.record();
    const capsule = arrays[0][Symbol.for('array-interface.array')]();
    cuda.empty([512], 'uint32')[Symbol.dispose](); // kept for the next
    const outcome = (error) => error.code ?? error.message;
    let message = '';
    const downloads = arrays.map((array) => cuda.toTypedArray(array).then(() => 'ok', outcome));
    ${end}
    const touching = ['cuMemFree', 'cuMemFreeHost', 'cuMemFreeAsync', 'cuMemcpyAsync', 'cuMemAlloc',
      'cuMemAllocFromPoolAsync', 'cuMemPoolDestroy', 'cuStreamDestroy', 'cuStreamWaitEvent',
      'cuEventDestroy', 'cuEventRecord', 'cuLaunchKernel'];
    const before = touching.map((name) => probe.calls(name));
    const uses = {};
    const use = async (name, work) => {
      try { await work(); uses[name] = 'ok'; } catch (error) { uses[name] = outcome(error); }
    };
    await use('read', () => cuda.toTypedArray(arrays[1]));
    await use('see', () => arrays[3].asTypedArray());
    await use('dict', () => arrays[0].__cuda_array_interface__);
    await use('capsule', () => cuda.asArray(capsule));
    await use('copy', () => cuda.copy(arrays[0], arrays[1]));
    await use('empty', () => cuda.empty([512], 'uint32'));
    await use('array', () => cuda.array(new Uint8Array(10)));
    await use('record', () => stream.record());
    await use('stream', () => cuda.createStream());
    try { cuda.createStream(); } catch (error) { message = error.message; }
    await use('use', () => cuda.use(stream, { reads: [arrays[0]] }, () => {}));
    const pending = await Promise.all(downloads);
    for (const array of arrays) array[Symbol.dispose]();
    stream[Symbol.dispose]();
    pool[Symbol.dispose]();
    await cuda.releaseCached();
    await cuda.synchronize().catch(() => {});
    const touched = touching.filter((name, i) => probe.calls(name) !== before[i]);
    const one = cuda.empty([10], 'uint8', { device: 1 });
    await cuda.fill(one, 7);
    const [other] = await cuda.toTypedArray(one);
    console.log(JSON.stringify({ pending, uses, message, touched, other }));`,
    env,
  );
}

// Nobody can keep JavaScript from reading an address that the driver took back, which ends the process.
test.each(Object.entries(ENDS))(
  'typed arrays over memory of a context that %s: the next call says so, and disposal detaches them',
  async (_, end) => {
    const answer = await childAnswer<unknown>(
      `import { createRequire } from 'node:module';
      import { cuda } from '@array-interface/cuda';
      const probe = createRequire(import.meta.url)('./build/Release/test/driver_probe.node');
      const arrays = ['host', 'shared'].map((memoryKind) => cuda.empty([1024], 'uint8', { memoryKind }));
      const seen = await Promise.all(arrays.map((array) => array.asTypedArray()));
      ${end}
      const calls = await Promise.all(arrays.flatMap((array) => [
        array.asTypedArray(), cuda.fill(array, 1), cuda.toTypedArray(array),
      ]).map((call) => call.then(() => 'none', ({ code }) => code)));
      const before = seen.map(({ length }) => length);
      for (const array of arrays) array[Symbol.dispose]();
      globalThis.gc();
      await new Promise(setImmediate);
      console.log(JSON.stringify({ calls, before, after: seen.map(({ length }) => length) }));`,
      {},
      ['--expose-gc'],
    );
    expect(answer).toEqual({
      calls: Array(6).fill('ERR_CUDA'),
      before: [1024, 1024],
      after: [0, 0],
    });
  },
);

describe.each(Object.entries(ENDS))('a primary context that %s', (name, end) => {
  // Before 12.0 a driver does not say whether it is the same life.
  const versions = name.endsWith('again') ? ['12040'] : ['12040', '11020'];
  test.each(versions)(
    'is reported by every call of driver %s, and nothing there is touched',
    async (version) => {
      const answer = await afterEnd(end, { CUDA_SIMULATOR_DRIVER_VERSION: version });
      const names = [
        'read',
        'see',
        'dict',
        'capsule',
        'copy',
        'empty',
        'array',
        'record',
        'stream',
        'use',
      ];
      expect(answer.uses).toEqual(Object.fromEntries(names.map((one) => [one, 'ERR_CUDA'])));
      expect(answer.pending).toEqual(Array(5).fill('ERR_CUDA'));
      expect(answer.message).toContain('CUDA_ERROR_CONTEXT_IS_DESTROYED');
      expect(answer.message).toContain('the primary context of device 0 was reset');
      expect(answer.message).toContain('restart the process');
      expect(answer.touched).toEqual([]);
      expect(answer.other, 'the other device').toBe(7);
    },
  );
});
