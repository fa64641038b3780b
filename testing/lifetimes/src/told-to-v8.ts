import { expect, test } from 'vitest';
import { answer } from './run-program.js';
import type { Subject } from './subject.js';

/** V8 knows how many bytes arrays keep outside of its heap, and that they are gone. */
export function toldToV8(subject: Subject): void {
  test('V8 is told of the bytes of arrays, and of their end', async () => {
    type Answer = Readonly<Record<string, { readonly rise: number; readonly off: number }>>;
    const found = await answer<Answer>(subject, 'told-to-v8', subject.inPlace);
    for (const [what, { rise, off }] of Object.entries(found)) {
      expect(rise, `arrays that V8 knows: ${what}`).toBeGreaterThan(3.5);
      expect(off, `arrays that V8 still counts: ${what}`).toBeLessThan(0.5);
    }
  });
}
