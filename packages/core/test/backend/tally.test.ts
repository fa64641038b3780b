import { describe, expect, it } from 'vitest';
import { Tally } from '../../src/backend/tally.js';

describe('a tally', () => {
  it('tells of every part', () => {
    const told: unknown[] = [];
    const tally = new Tally(3, (progress) => told.push(progress));
    tally.add(1);
    expect(tally.isFull).toBe(false);
    tally.add(2);
    expect(tally.isFull).toBe(true);
    expect(told).toEqual([
      { bytes: 1, total: 3 },
      { bytes: 3, total: 3 },
    ]);
  });

  it('says on an error what was written', () => {
    const tally = new Tally(3, undefined);
    tally.add(1);
    const error = new Error('x');
    expect(tally.interrupted(error, undefined)).toBe(error);
    expect(error).toMatchObject({ bytesWritten: 1 });
    for (const odd of ['text', null, undefined, Object.freeze({})]) {
      expect(tally.interrupted(odd, undefined)).toBe(odd);
    }
  });

  it("leaves a signal's reason as it is, and makes it the cause", () => {
    const tally = new Tally(3, undefined);
    const signal = AbortSignal.abort();
    const error = tally.interrupted(signal.reason, signal);
    expect(error).not.toBe(signal.reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'AbortError', cause: signal.reason, bytesWritten: 0 });
    expect(String(error)).toContain('0 of 3 bytes');
    const other = new Error('not the reason');
    expect(tally.interrupted(other, signal)).toBe(other);
  });
});
