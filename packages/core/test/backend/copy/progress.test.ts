import { describe, expect, it } from 'vitest';
import { ProgressTracker } from '../../../src/backend/copy/progress.js';

describe('a progress tracker', () => {
  it('reports every chunk', () => {
    const told: unknown[] = [];
    const tracker = new ProgressTracker(3, (progress) => told.push(progress));
    tracker.add(1);
    expect(tracker.isFull).toBe(false);
    tracker.add(2);
    expect(tracker.isFull).toBe(true);
    expect(told).toEqual([
      { bytes: 1, total: 3 },
      { bytes: 3, total: 3 },
    ]);
  });

  it('says on an error what was written', () => {
    const tracker = new ProgressTracker(3, undefined);
    tracker.add(1);
    const error = new Error('x');
    expect(tracker.interrupted(error, undefined)).toBe(error);
    expect(error).toMatchObject({ bytesWritten: 1 });
    for (const odd of ['text', null, undefined, Object.freeze({})]) {
      expect(tracker.interrupted(odd, undefined)).toBe(odd);
    }
  });

  it("leaves a signal's reason unchanged, and makes it the cause", () => {
    const tracker = new ProgressTracker(3, undefined);
    const signal = AbortSignal.abort();
    const error = tracker.interrupted(signal.reason, signal);
    expect(error).not.toBe(signal.reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'AbortError', cause: signal.reason, bytesWritten: 0 });
    expect(String(error)).toContain('0 of 3 bytes');
    const other = new Error('not the reason');
    expect(tracker.interrupted(other, signal)).toBe(other);
  });
});
