import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { processValues } from '../../src/input/process-values.js';

const folder = mkdtempSync(path.join(tmpdir(), 'array-interface-'));
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['stdout', 'stderr'] as const)(
  'a slow reader of %s delays the next line',
  async (name) => {
    const file = path.join(folder, 'three.jsonl');
    writeFileSync(file, '1\n2\n3\n');
    const write = vi.spyOn(process[name], 'write').mockReturnValue(false);
    const written = () => write.mock.calls.map(([text]) => text);
    const refused = () => 'refused';
    const done = processValues([file], { accepted: () => 'fine', refused, refusals: name });
    const lines = ['refused\n', 'refused\n', 'refused\n'];
    for (const count of lines.keys()) {
      await vi.waitUntil(() => write.mock.calls.length > count, { timeout: 60_000 });
      for (let i = 0; i < 10; i++) await turn();
      expect(written()).toEqual(lines.slice(0, count + 1));
      process[name].emit('drain');
    }
    expect(await done).toBe(false);
  },
);
