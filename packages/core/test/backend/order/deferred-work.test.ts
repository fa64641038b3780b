import { describe, expect, test } from 'vitest';
import { arrayCapsule } from '../../../src/backend/index.js';
import { waitingOf } from '../../../src/backend/order/deferred-work.js';
import type { BackendArray } from '../../../src/index.js';
import { defineKernel, type Kernel } from '../../../src/kernel/index.js';
import {
  type FakeArray,
  FakeBackend,
  FakeDriver,
  type FakeMemory,
} from '../../support/fake-driver.js';
import { refusal } from '../../support/refusal.js';

// Work that waits for kernels which are built, as the tests say when.

interface Build {
  end(): void;
  fail(reason: unknown): void;
}

/** A backend whose kernels are built when the test says so, and what its driver did, by names. */
function slow(contexts: readonly number[] = [0]) {
  const driver = new FakeDriver(contexts);
  const backend = new FakeBackend(driver);
  const builds = new Map<string, Build>();
  driver.builds = (kernel) =>
    new Promise((resolve, reject) => {
      builds.set(kernel.name, { end: () => resolve(kernel), fail: reject });
    });
  driver.launches = ({ name }, built, { uses }) => {
    const names = uses.map(({ memory }) => (memory as FakeMemory).name).join(' ');
    driver.log.push(`${name}: ${(built as Kernel).name} ${names}`);
  };
  const define = (name: string) =>
    defineKernel({ name, parameters: { at: { write: 'uint8' } }, code: { fake: {} } as never });
  const launch = (name: string, at: BackendArray, options = {}) => {
    const launched = backend.launch(define(name), { range: [1], ...options }, { at });
    launched.catch(() => {});
    return launched;
  };
  const build = (name: string) => builds.get(name) as Build;
  return { backend, driver, launch, build };
}

const nameOf = (array: BackendArray) => (array.memory as FakeMemory).name;
/** Lets all go on that can. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

describe('launches', () => {
  test('of the same array keep their order, whichever is built first', async () => {
    const { backend, driver, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    driver.taken();
    const work = ['one', 'two', 'three'].map((name) => launch(name, at));
    for (const name of ['three', 'two']) {
      build(name).end();
      await pause();
      expect(driver.taken()).toEqual([]);
    }
    build('one').end();
    await Promise.all(work);
    const name = nameOf(at);
    expect(driver.taken()).toEqual([`q0: one ${name}`, `q0: two ${name}`, `q0: three ${name}`]);
  });

  test('that were requested later are not waited for', async () => {
    const { backend, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    using queue = backend.createQueue();
    const first = launch('one', at, { queue });
    const waits = [queue.synchronize(), at.synchronize()];
    const second = launch('two', at, { queue });
    build('one').end();
    await Promise.all([first, ...waits]); // the second is not built yet
    build('two').end();
    await second;
  });

  test('with values only are ordered on every backend, since nobody knows where they work', async () => {
    const { backend, build } = slow();
    const waiting = () => [backend, new FakeBackend()].map((one) => waitingOf(one).length);
    const kernel = defineKernel({
      name: 'alone',
      parameters: { n: 'uint32' },
      code: { fake: {} } as never,
    });
    using queue = backend.createQueue();
    const launched = backend.launch(kernel, { range: [1], queue }, { n: 1 });
    expect(waiting()).toEqual([1, 1]);
    build('alone').end();
    await launched;
    expect(waiting()).toEqual([0, 0]);
  });

  test('of other arrays wait for nothing but the order of a queue that they name', async () => {
    const { backend, driver, launch, build } = slow();
    using first = backend.empty([4], 'uint8');
    using second = backend.empty([4], 'uint8');
    using queue = backend.createQueue();
    driver.taken();
    const work = [
      launch('held', first, { queue }),
      launch('free', second),
      launch('behind', second, { queue }),
    ];
    build('behind').end();
    build('free').end();
    await pause();
    expect(driver.taken()).toEqual([`q0: free ${nameOf(second)}`]);
    build('held').end();
    await Promise.all(work);
    expect(driver.taken()).toEqual([
      `made: held ${nameOf(first)}`,
      `made: behind ${nameOf(second)}`,
    ]);
  });

  test('that read one array run side by side, and a write waits for both', async () => {
    const { backend, driver, build } = slow();
    using source = backend.empty([4], 'uint8');
    const define = (name: string) =>
      defineKernel({ name, parameters: { at: { read: 'uint8' } }, code: { fake: {} } as never });
    driver.taken();
    const work = ['one', 'two'].map((name) =>
      backend.launch(define(name), { range: [1] }, { at: source }),
    );
    const filled = backend.fill(source, 1);
    driver.taken();
    build('two').end();
    await pause();
    expect(driver.taken()).toEqual([`q0: two ${nameOf(source)}`]);
    build('one').end();
    await Promise.all([...work, filled]);
    expect(driver.taken()).toHaveLength(2);
  });

  test('that fail reject alone, at once, and the next waits for those before', async () => {
    const { backend, driver, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    driver.taken();
    const [one, two, three] = ['one', 'two', 'three'].map((name) => launch(name, at));
    build('two').fail(new Error('refused'));
    await expect(two).rejects.toThrow('refused');
    build('three').end();
    await pause();
    expect(driver.taken()).toEqual([]);
    build('one').end();
    await Promise.all([one, three]);
    expect(driver.taken()).toEqual([`q0: one ${nameOf(at)}`, `q0: three ${nameOf(at)}`]);
  });

  test('that the driver refuses do not block the next', async () => {
    const { backend, driver, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    const { launches } = driver;
    driver.launches = (queue, built, piece) => {
      if ((built as Kernel).name === 'one') throw new Error('too large');
      launches(queue, built, piece);
    };
    const [one, two] = [launch('one', at), launch('two', at)];
    build('one').end();
    build('two').end();
    await expect(one).rejects.toThrow('too large');
    await two;
    expect(driver.taken()).toContain(`q0: two ${nameOf(at)}`);
  });

  test('keep values, memory and queue until then, whoever disposes of them', async () => {
    const { backend, driver, launch, build } = slow();
    const queue = backend.createQueue();
    const at = backend.empty([4], 'uint8');
    const memory = at.memory as FakeMemory;
    const launched = launch('one', at, { queue });
    at[Symbol.dispose]();
    queue[Symbol.dispose]();
    expect(at.disposed).toBe(true);
    expect([memory.freed, driver.taken().includes('made ends')]).toEqual([false, false]);
    build('one').end();
    await launched;
    await pause();
    expect(memory.freed).toBe(true);
    expect(driver.taken()).toEqual([`made: one ${memory.name}`, 'made ends']);
  });

  test('whose signal is aborted while they wait reject at once, and the next goes on', async () => {
    const { backend, driver, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    const controller = new AbortController();
    const given = launch('one', at, { signal: controller.signal });
    const next = launch('two', at);
    build('two').end();
    controller.abort('enough');
    await expect(given).rejects.toBe('enough');
    await next;
    build('one').end();
    await pause();
    const ran = driver.taken().filter((line) => line.startsWith('q0: '));
    expect(ran).toEqual([`q0: two ${nameOf(at)}`]);
  });

  test('with a signal that throws are dropped, and keep no memory', async () => {
    const { backend, launch } = slow();
    const at = backend.empty([4], 'uint8');
    const signal = {
      aborted: false,
      addEventListener() {
        throw new Error('no listeners');
      },
      removeEventListener() {
        throw new Error('none');
      },
    };
    await expect(launch('one', at, { signal })).rejects.toThrow('no listeners');
    at[Symbol.dispose]();
    await pause();
    expect((at.memory as FakeMemory).freed).toBe(true);
  });

  test('a thousand on one array run one after the other', async () => {
    const { backend, driver, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    const first = launch('first', at);
    const fills = Array.from({ length: 1000 }, () => backend.fill(at, 1));
    driver.taken();
    build('first').end();
    await Promise.all([first, ...fills]);
    expect(driver.taken().filter((line) => line.includes('<-'))).toHaveLength(1000);
  });
});

describe('copies that wait', () => {
  test('read JavaScript memory at once, and are ordered by loans of the same bytes', async () => {
    const { backend, driver, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    using other = backend.empty([4], 'uint8');
    const launched = launch('one', at);
    const values = Uint8Array.of(1, 2, 3, 4);
    const copied = backend.copy(at, values);
    values.fill(9);
    using loan = backend.asArray(at) as FakeArray & Disposable;
    const read = backend.copy(other, loan);
    await pause();
    expect(driver.taken().some((line) => line.includes('<-'))).toBe(false);
    build('one').end();
    await Promise.all([launched, copied, read]);
    expect([...(other.memory as FakeMemory).bytes]).toEqual([1, 2, 3, 4]);
  });

  test('of several steps stop if one fails, and write nothing', async () => {
    const { backend, driver, launch, build } = slow();
    using at = await backend.array(Uint8Array.of(1, 2, 3, 4, 5));
    const memory = at.memory as FakeMemory;
    const launched = launch('one', at);
    // It overlaps its source, so it goes by way of a temporary.
    const copied = backend.copy(at.slice([[1, 5]]), at.slice([[0, 4]]));
    const after = backend.fill(at.slice([[0, 1]]), 7);
    driver.fails = driver.enqueued + 1;
    build('one').end();
    await expect(copied).rejects.toThrow('enqueue failed');
    await Promise.all([launched, after]);
    expect([...memory.bytes]).toEqual([7, 2, 3, 4, 5]);
    await pause();
    expect([...driver.live].filter(({ ended }) => ended)).toEqual([]);
  });

  test('to JavaScript memory write nothing if they fail', async () => {
    const { backend, driver, launch, build } = slow();
    using at = await backend.array(Uint8Array.of(1, 2, 3, 4));
    const launched = launch('one', at);
    const into = new Uint8Array(4);
    const read = backend.copy(into, at);
    driver.fails = driver.enqueued + 1;
    build('one').end();
    await expect(read).rejects.toThrow('enqueue failed');
    await launched;
    expect(into).toEqual(new Uint8Array(4));
  });

  test('aborted by a signal do not change the destination', async () => {
    const { backend, driver, launch, build } = slow();
    using at = await backend.array(Uint8Array.of(1, 2));
    const launched = launch('one', at);
    const controller = new AbortController();
    const { signal } = controller;
    const progress: number[] = [];
    const onProgress = ({ bytesDone }: { bytesDone: number }) => void progress.push(bytesDone);
    const copies = [
      backend.copy(at, Uint8Array.of(8, 8), { signal, onProgress } as never),
      backend.fill(at, 9, { signal }),
      backend.toTypedArray(at, { signal }),
    ];
    controller.abort('enough');
    const reasons = (await Promise.allSettled(copies)).map(
      (end) => (end as PromiseRejectedResult).reason,
    );
    expect(reasons).toEqual(['enough', 'enough', expect.objectContaining({ bytesWritten: 0 })]);
    build('one').end();
    await launched;
    await pause();
    expect([[...(at.memory as FakeMemory).bytes], progress]).toEqual([[1, 2], []]);
    expect(driver.live.size).toBe(1);
  });

  test('on a queue whose kernels do not reach them are ordered with it', async () => {
    const { backend, driver, launch, build } = slow([0, 0]);
    using at = backend.empty([8], 'uint8', { device: 0 });
    using far = backend.empty([8], 'uint8', { device: 1 });
    const launched = launch('one', at);
    driver.taken();
    const copied = backend.copy(far.slice([[0, 8, 2]]), at.slice([[0, 8, 2]]));
    const filled = backend.fill(at, 3);
    await pause();
    expect(driver.taken().filter((line) => line.includes('<-') || line.includes('wait'))).toEqual(
      [],
    );
    build('one').end();
    await Promise.all([launched, copied, filled]);
    const done = driver.taken();
    expect(done[0]).toBe(`q0: one ${nameOf(at)}`);
    const lastOf = (text: string) => done.findLastIndex((line) => line.includes(text));
    expect(lastOf(`<- ${nameOf(at)} `)).toBeLessThan(lastOf(`: ${nameOf(at)} <-`));
    expect(done.indexOf('q1 waits for q0')).toBeGreaterThan(0);
  });
});

describe('use that waits', () => {
  test('runs in its turn, and what it requests is done within it', async () => {
    const { backend, driver, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    using other = backend.empty([4], 'uint8');
    using queue = backend.createQueue();
    const launched = launch('one', at);
    const inner: Promise<unknown>[] = [];
    const used = backend.use(queue, { writes: [at] }, async () => {
      inner.push(backend.copy(other, at), launch('inner', at));
      return await 'made';
    });
    const after = backend.fill(at, 1);
    driver.taken();
    build('one').end();
    await pause();
    const name = nameOf(at);
    expect(driver.taken().slice(0, 4)).toEqual([
      `q0: one ${name}`,
      `made before ${name}!`,
      'within made',
      `q0: ${nameOf(other)} <- ${name} (4, run)`,
    ]);
    expect(driver.taken()).toEqual([]); // the fill is ordered after what is requested within
    build('inner').end();
    await Promise.all([launched, after, ...inner]);
    expect(await used).toBe('made');
    expect(driver.taken(), 'the fill is behind the launch within').toEqual([
      `q0: inner ${name}`,
      expect.stringMatching(`q0: ${name} <- `),
    ]);
  });
});

describe('what cannot wait', () => {
  test('is ERR_PENDING, and waits wait', async () => {
    const { backend, driver, launch, build } = slow();
    using at = backend.empty([4], 'uint8');
    using queue = backend.createQueue();
    const launched = launch('one', at, { queue });
    expect(queue.query()).toBe(false);
    expect(refusal(() => at[arrayCapsule]())).toMatchObject({ code: 'ERR_PENDING', path: 'array' });
    driver.taken();
    const waits = [at.synchronize(), at.memory.synchronize()];
    await pause();
    expect(driver.taken()).toEqual([]);
    const controller = new AbortController();
    const given = at.synchronize({ signal: controller.signal });
    controller.abort('enough');
    await expect(given).rejects.toBe('enough');
    build('one').fail(new Error('refused'));
    await Promise.all(waits); // the launch alone rejects
    await expect(launched).rejects.toThrow('refused');
    expect(driver.taken().filter((line) => line.startsWith('wait'))).toHaveLength(3);
    expect(queue.query()).toBe(true);
  });
});
