import { describe, expect, test } from 'vitest';
import { childAnswer } from '../support/child.js';

// Work of device 1 that comes after work of device 0, whose context is lost meanwhile. A driver lets
// it begin, on whatever the lost work has left, and reports nothing. Each in a process of its own,
// which the loss breaks for good.

const START = `
  import { createRequire } from 'node:module';
  import { cuda } from '@array-interface/cuda';
  const probe = createRequire(process.cwd() + '/')('./build/Release/test/driver_probe.node');
  const ones = () => new Uint8Array(1000).fill(1);
  const first = cuda.createStream({ device: 0 });
  const second = cuda.createStream({ device: 1 });
  const third = cuda.createStream({ device: 1 });
  const source = cuda.empty([1000], 'uint8', { queue: first });
  const target = cuda.empty([1000], 'uint8', { queue: second });
  const other = cuda.empty([1000], 'uint8', { queue: second });
  for (const array of [source, target, other]) await cuda.fill(array, 0);
  await cuda.synchronize();
  probe.makeCurrent(0);
  const release = probe.hold(first.handle);
  /** Streams of another library on device 1: one of the primary context, and one of its own. */
  const strangers = () => {
    probe.makeCurrent(1);
    const streams = [probe.createStream(), probe.createContext(1).stream];
    probe.makeCurrent(0);
    return streams;
  };
  const lose = () => {
    probe.fail('cuMemAlloc:1:LAUNCH_FAILED');
    try { cuda.empty([12_345], 'uint8', { device: 0 }); } catch {}
    probe.fail('');
  };
  const told = [];
  const note = (work) => Promise.resolve().then(work).then(
    (read) => told.push(read === undefined ? 'ended' : ArrayBuffer.isView(read) ? 'read ' + read[0] : read),
    ({ code, driverCode }) => told.push(code + ' ' + driverCode),
  );
`;
const LOST = 'ERR_CUDA CUDA_ERROR_LAUNCH_FAILED';

function told(work: string, schedule: string): Promise<string[]> {
  return childAnswer(
    `${START}${work}
    console.log(JSON.stringify(told));`,
    { CUDA_SIMULATOR_SCHEDULE: schedule },
  );
}

describe.each(['lazy', 'eager', 'random:1'])('work after lost work, %s', (schedule) => {
  test('rejects in whatever waits for it, and so does later work', async () => {
    const work = `
      await cuda.copy(source, ones(), { queue: first });
      await cuda.copy(target, source, { queue: second });
      await cuda.copy(other, target, { queue: third });
      lose();
      release();
      await note(() => cuda.toTypedArray(other, { queue: third }));
      await note(() => cuda.toTypedArray(target));
      await note(() => target.synchronize());
      await note(() => third.record().synchronize());
      await note(() => second.record().synchronizeSync());
      await note(() => cuda.copy(other, target));
      const fresh = cuda.empty([10], 'uint8', { queue: cuda.createStream({ device: 1 }) });
      await note(() => cuda.fill(fresh, 5));
      await note(() => cuda.toTypedArray(fresh));`;
    expect(await told(work, schedule)).toEqual([...Array(6).fill(LOST), 'ended', 'read 5']);
  });

  test('says what was lost', async () => {
    const work = `
      await cuda.copy(source, ones(), { queue: first });
      await cuda.copy(target, source, { queue: second });
      lose();
      release();
      await cuda.toTypedArray(target).catch(({ message }) => told.push(message));`;
    expect((await told(work, schedule))[0]).toContain('this follows work on device 0');
  });

  test('is reported by a stream that was made to wait, and by the consumers of that stream', async () => {
    const work = `
      await cuda.copy(source, ones(), { queue: first });
      second.wait(first.record());
      const loan = cuda.asArray({ __cuda_array_interface__: other.__cuda_array_interface__ });
      lose();
      release();
      await note(() => cuda.toTypedArray(loan, { queue: third }));
      await note(() => second.synchronize());
      let isDone = false;
      for (let asks = 0; asks < 1000 && !isDone; asks++) {
        await new Promise(setImmediate);
        try { isDone = second.query(); } catch { told.push('query'); isDone = true; }
      }`;
    expect(await told(work, schedule)).toEqual([LOST, LOST, 'query']);
  });

  test('is reported to whoever blocks until a producer has done its work', async () => {
    const work = `
      const { pointer } = other;
      const dict = { shape: [1000], typestr: '|u1', data: [pointer, false], version: 3, stream: Number(second.handle) };
      const loan = cuda.asArray({ __cuda_array_interface__: dict }, { sync: 'block' });
      await cuda.copy(source, ones(), { queue: first });
      second.wait(first.record());
      lose();
      release();
      await note(() => cuda.fill(loan, 3, { queue: third }));`;
    expect(await told(work, schedule)).toEqual([LOST]);
  });

  test.each(['in the primary context', 'in a context of its own'])(
    'succeeds if another library’s stream, %s, came after completed work',
    async (where) => {
      const work = `
      release();
      const [primary, own] = strangers();
      const stream = cuda.stream(${where === 'in the primary context' ? 'primary' : 'own'});
      await cuda.copy(source, ones(), { queue: first });
      stream.wait(first.record());
      for (let i = 0; i < 3; i++) await stream.record().synchronize();
      lose();
      for (let i = 0; i < 3; i++) await note(() => stream.record().synchronize());
      await note(() => stream.query());`;
      expect(await told(work, schedule)).toEqual(['ended', 'ended', 'ended', true]);
    },
  );

  test.each(['in the primary context', 'in a context of its own'])(
    'is reported by another library’s stream, %s',
    async (where) => {
      const work = `
      const [primary, own] = strangers();
      const stream = cuda.stream(${where === 'in the primary context' ? 'primary' : 'own'});
      await cuda.copy(source, ones(), { queue: first });
      stream.wait(first.record());
      const event = stream.record();
      lose();
      release();
      await note(() => event.synchronize());
      for (let i = 0; i < 2; i++) await note(() => stream.record().synchronize());`;
      expect(await told(work, schedule)).toEqual([LOST, LOST, LOST]);
    },
  );

  test('succeeds if the lost context had done its part before', async () => {
    const work = `
      release();
      await cuda.copy(source, ones(), { queue: first });
      await cuda.copy(target, source, { queue: second });
      await target.synchronize();
      lose();
      await note(() => cuda.toTypedArray(target));`;
    expect(await told(work, schedule)).toEqual(['read 1']);
  });
});
