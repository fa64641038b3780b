import { describe, expect, it } from 'vitest';
import { runExclusive } from '../../../src/backend/access/run-exclusive.js';
import type { Memory } from '../../../src/backend/index.js';

const memory = () => ({}) as Memory;
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

describe('exclusive work', () => {
  it('begins at once if none is pending', () => {
    let began = false;
    void runExclusive([memory()], undefined, async () => {
      began = true;
    });
    expect(began).toBe(true);
  });

  it('follows earlier work on a shared memory, also after a failure', async () => {
    const [a, b, c] = [memory(), memory(), memory()];
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
      if (name === 'first') throw new Error(name);
    };
    const ends = await Promise.allSettled([
      runExclusive([a, b], undefined, work('first')),
      runExclusive([b, c], undefined, work('second')),
      runExclusive([c], undefined, work('third')),
      runExclusive([memory()], undefined, work('other')),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', ...Array(3).fill('fulfilled')]);
    expect(log.filter((line) => !line.startsWith('other'))).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
    expect(log.indexOf('other begins')).toBe(1);
  });

  it('keeps nothing of completed work', async () => {
    const one = memory();
    let failed: WeakRef<Error> | undefined;
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = runExclusive([one], undefined, async () => {
      await turn();
      const error = new Error('the first');
      failed = new WeakRef(error);
      throw error;
    }).catch(() => {});
    const second = runExclusive([one], undefined, turn);
    const third = runExclusive([one], undefined, () => held);
    await first;
    await second;
    const fourth = runExclusive([one], undefined, turn); // something runs at all times
    finish();
    await third;
    globalThis.gc?.();
    await turn(); // a WeakRef holds until its task has ended
    globalThis.gc?.();
    expect(failed?.deref()).toBeUndefined();
    await fourth;
  });

  it.each([
    ['is behind', true],
    ['comes later', false],
  ])('that is aborted lets nothing overtake that %s', async (_, isBehind) => {
    const one = memory();
    const controller = new AbortController();
    const log: string[] = [];
    const note = (name: string) => runExclusive([one], undefined, async () => void log.push(name));
    const first = runExclusive([one], undefined, async () => {
      await turn();
      await turn();
      log.push('first');
    });
    const second = runExclusive([one], controller.signal, async () => void log.push('second'));
    const behind = isBehind ? note('behind') : null;
    controller.abort();
    await expect(second).rejects.toBe(controller.signal.reason);
    expect(log).toEqual([]);
    await Promise.all([first, behind, note('later')]);
    expect(log).toEqual(isBehind ? ['first', 'behind', 'later'] : ['first', 'later']);
  });
});
