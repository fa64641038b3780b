import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Memory, settle } from '../../../src/backend/index.js';
import { ArrayInterfaceError } from '../../../src/index.js';
import { defineKernel } from '../../../src/kernel/index.js';
import { FakeBackend, FakeDriver, type FakeMemory } from '../../support/fake-driver.js';

// Work that a driver refuses as long as another process holds a lock.

const held = () =>
  new ArrayInterfaceError('ERR_TICKET', null, 'expected a lock, got one that is held', {
    driverCode: 'EAGAIN',
  });

/** A backend whose driver refuses the work on one memory so many times; `log` has what was enqueued. */
function locked(times: number) {
  const driver = new FakeDriver();
  const backend = new FakeBackend(driver);
  const log: string[] = [];
  const target = backend.empty([2], 'uint8');
  const source = backend.empty([2], 'uint8');
  const lock = { times };
  const at = (memory: Memory, what: string) => {
    if (memory === target.memory && lock.times-- > 0) throw held();
    log.push(what);
  };
  vi.spyOn(driver, 'enqueue').mockImplementation((_queue, _plan, to) => at(to, 'copy'));
  vi.spyOn(driver, 'before').mockImplementation((_queue, [use]) =>
    at(use?.memory as FakeMemory, 'use'),
  );
  vi.spyOn(driver, 'settle').mockImplementation(async (_queue, memory) => at(memory, 'settle'));
  driver.launches = (_queue, _built, { begin, uses: [use] }) =>
    at(use?.memory as FakeMemory, `launch ${begin}`);
  const copy = () => backend.copy(target, source);
  const launch = () =>
    backend.launch(
      defineKernel({
        name: 'fill',
        parameters: { at: { write: 'uint8' }, from: { first: 0 } },
        code: { fake: {} } as never,
      }),
      { range: [2] },
      { at: target },
    );
  const use = () => {
    const [queue] = driver.queues;
    return backend.use(queue as never, { writes: [target] }, () => {});
  };
  return { driver, backend, log, target, source, lock, copy, launch, ask: { copy, launch, use } };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('while another process holds the lock of a memory', () => {
  test('work on it waits in the order in which it was requested, and other work goes on', async () => {
    const { backend, log, target, source, copy, launch } = locked(3);
    const queue = (backend as FakeBackend).driver.queues[0] as never;
    const work = [
      copy(),
      launch(),
      backend.use(queue, { writes: [target] }, () => log.push('ours')),
      copy(),
    ];
    using other = backend.empty([2], 'uint8');
    await backend.copy(other, source);
    expect(log).toEqual(['copy']);
    log.splice(0);
    await vi.runAllTimersAsync();
    await Promise.all(work);
    expect(log).toEqual(['copy', 'launch 0', 'use', 'ours', 'copy']);
  });

  test('all waiting work is refused together, and later work waits again', async () => {
    const { lock, copy, log } = locked(Number.POSITIVE_INFINITY);
    const refused: string[] = [];
    for (let i = 0; i < 4; i++) void copy().catch(({ code }) => refused.push(code));
    await vi.advanceTimersByTimeAsync(5500);
    expect(refused).toEqual(Array(4).fill('ERR_TICKET'));
    const later = copy();
    await vi.advanceTimersByTimeAsync(3000);
    lock.times = 0;
    await vi.advanceTimersByTimeAsync(100);
    await later;
    expect(log).toEqual(['copy']);
  });

  test.each(['launch', 'use', 'settle'] as const)(
    'the first to find it may be: %s',
    async (name) => {
      const { driver, log, target, lock, ask } = locked(2);
      const [queue] = driver.queues;
      const asked = {
        ...ask,
        settle: () => settle(driver, queue as never, target.memory as Memory),
      }[name]();
      expect(log).toEqual([]);
      await vi.runAllTimersAsync();
      await asked;
      expect(log).toEqual([expect.stringMatching(name)]);
      expect(lock.times).toBe(-1);
    },
  );

  test('a launch in pieces continues with the refused piece', async () => {
    const { driver, log, lock, launch } = locked(0);
    driver.launchLimits = { items: 1, groups: [1, 1, 1] };
    const { launches } = driver;
    driver.launches = (queue, built, piece) => {
      if (piece.begin[0] === 1 && lock.times++ < 3) throw held();
      return launches(queue, built, { ...piece, uses: [] });
    };
    const asked = launch();
    expect(log).toEqual(['launch 0']);
    await vi.runAllTimersAsync();
    await asked;
    expect(log).toEqual(['launch 0', 'launch 1']);
  });

  test.each(['copy', 'launch', 'settle'] as const)(
    'it is refused after 5 seconds: %s',
    async (name) => {
      const { driver, log, target, copy, launch } = locked(Number.POSITIVE_INFINITY);
      const from = performance.now();
      const asked = {
        copy,
        launch,
        settle: () => settle(driver, driver.queues[0] as never, target.memory as Memory),
      }[name]();
      const refused = expect(asked).rejects.toMatchObject({
        code: 'ERR_TICKET',
        driverCode: 'EAGAIN',
      });
      await vi.runAllTimersAsync();
      await refused;
      expect(performance.now() - from).toBeGreaterThanOrEqual(5000);
      expect(performance.now() - from).toBeLessThan(5100); // of the timers' time
      expect(log).toEqual([]);
    },
  );

  test.each(['copy', 'launch', 'use'] as const)(
    'work settles once others know of it, and nothing waits behind it: %s',
    async (name) => {
      const { driver, log, copy, ask } = locked(0);
      let tell: () => void = () => {};
      const told = new Promise<void>((resolve) => {
        tell = resolve;
      });
      if (name === 'copy') vi.spyOn(driver, 'enqueue').mockReturnValueOnce(told);
      if (name === 'use') vi.spyOn(driver, 'after').mockReturnValueOnce(told);
      const { launches } = driver;
      driver.launches = () => told;
      let isDone = false;
      const asked = ask[name]().then(() => {
        isDone = true;
      });
      driver.launches = launches;
      log.splice(0);
      await copy();
      expect(log).toEqual(['copy']);
      expect(isDone).toBe(false);
      tell();
      await asked;
    },
  );

  test.each(['copy', 'launch', 'use'] as const)('and so does deferred work: %s', async (name) => {
    const { driver, log, lock, copy, ask } = locked(1);
    const first = copy(); // which finds the lock held
    let tell: () => void = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    let isDone = false;
    const asked = ask[name]().then(() => {
      isDone = true;
    });
    if (name === 'copy') {
      const enqueue = vi.spyOn(driver, 'enqueue');
      enqueue.mockImplementationOnce(() => void log.push('copy'));
      enqueue.mockImplementationOnce(() => {
        log.push('told later');
        return told;
      });
    }
    if (name === 'use') vi.spyOn(driver, 'after').mockReturnValueOnce(told);
    if (name === 'launch') driver.launches = () => told;
    await vi.runAllTimersAsync();
    await first;
    expect(lock.times).toBeLessThanOrEqual(0);
    expect(isDone, 'whether it has settled before others were told').toBe(false);
    tell();
    await asked;
  });

  test('another refusal is thrown at once, also after a held lock', async () => {
    const { driver, copy } = locked(0);
    const lost = new ArrayInterfaceError('ERR_TICKET', null, 'no locks');
    const enqueue = vi.spyOn(driver, 'enqueue');
    enqueue.mockImplementation(() => {
      throw lost;
    });
    await expect(copy()).rejects.toBe(lost);
    enqueue.mockImplementationOnce(() => {
      throw held();
    });
    const asked = expect(copy()).rejects.toBe(lost);
    await vi.runAllTimersAsync();
    await asked;
  });
});
