import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

// The cases are C++ (native/test): they call the driver's functions as any program does.
const program = fileURLToPath(new URL('../build/Release/simulator-tests', import.meta.url));
const cases = execFileSync(program, ['--list'], { encoding: 'utf8' }).trim().split('\n');

describe.concurrent('simulator', () => {
  it('has all its cases', () => {
    const families = new Set(cases.map((name) => name.split(':')[0]));
    expect([...families].sort()).toEqual([
      'batch',
      'capture',
      'context',
      'copy',
      'device',
      'errors',
      'event',
      'faults',
      'first launch',
      'graph',
      'held',
      'ipc',
      'kernel',
      'limits',
      'memory',
      'memory operations',
      'pointer',
      'pool',
      'proc address',
      'process',
      'ptx',
      'ptx bits',
      'ptx block',
      'ptx carry',
      'ptx compare',
      'ptx control',
      'ptx convert',
      'ptx cooperative',
      'ptx float',
      'ptx heap',
      'ptx integer',
      'ptx link',
      'ptx memory',
      'ptx refusal',
      'schedule',
      'stream',
      'virtual memory',
    ]);
    expect(cases.length).toBe(433);
  });

  it.each(cases)(
    '%s',
    async (name) => {
      const { stderr } = await promisify(execFile)(program, [name], { timeout: 300_000 });
      expect(stderr.replace(/^cuda-simulator: CUDA_ERROR_.*\n/gm, '')).toBe(''); // but faults
    },
    400_000,
  );
});
