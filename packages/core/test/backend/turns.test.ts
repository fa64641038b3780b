import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/backend/index.js';
import { inTurn } from '../../src/backend/turns.js';

const memory = () => ({}) as Memory;
const turn = () => new Promise<void>((resolve) => setTimeout(resolve));

describe('turns', () => {
  it('begin at once where nobody is before', () => {
    let began = false;
    void inTurn([memory()], undefined, async () => {
      began = true;
    });
    expect(began).toBe(true);
  });

  it('follow one another where a memory takes part in both, also after a failure', async () => {
    const [a, b, c] = [memory(), memory(), memory()];
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
      if (name === 'first') throw new Error(name);
    };
    const ends = await Promise.allSettled([
      inTurn([a, b], undefined, work('first')),
      inTurn([b, c], undefined, work('second')),
      inTurn([c], undefined, work('third')),
      inTurn([memory()], undefined, work('other')),
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

  it('keep nothing of those that have ended', async () => {
    const one = memory();
    let failed: WeakRef<Error> | undefined;
    let finish = () => {};
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const first = inTurn([one], undefined, async () => {
      await turn();
      const error = new Error('the first');
      failed = new WeakRef(error);
      throw error;
    }).catch(() => {});
    const second = inTurn([one], undefined, turn);
    const third = inTurn([one], undefined, () => held);
    await first;
    await second;
    const fourth = inTurn([one], undefined, turn); // somebody has the turn at all times
    finish();
    await third;
    globalThis.gc?.();
    await turn(); // a WeakRef holds until its task has ended
    globalThis.gc?.();
    expect(failed?.deref()).toBeUndefined();
    await fourth;
  });

  it.each([
    ['are behind', true],
    ['come later', false],
  ])('are given up without letting those that %s pass', async (_, isBehind) => {
    const one = memory();
    const controller = new AbortController();
    const log: string[] = [];
    const note = (name: string) => inTurn([one], undefined, async () => void log.push(name));
    const first = inTurn([one], undefined, async () => {
      await turn();
      await turn();
      log.push('first');
    });
    const second = inTurn([one], controller.signal, async () => void log.push('second'));
    const behind = isBehind ? note('behind') : null;
    controller.abort();
    await expect(second).rejects.toBe(controller.signal.reason);
    expect(log).toEqual([]);
    await Promise.all([first, behind, note('later')]);
    expect(log).toEqual(isBehind ? ['first', 'behind', 'later'] : ['first', 'later']);
  });
});
