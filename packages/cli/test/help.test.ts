import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bin, run } from './support/run-command.js';

const folder = mkdtempSync(path.join(tmpdir(), 'array-interface-'));
afterAll(() => rmSync(folder, { recursive: true }));
symlinkSync(bin, path.join(folder, 'array-interface'));
const dict =
  '{"__cuda_array_interface__":{"shape":[2,3],"typestr":"<f4","data":[4096,false],"version":3}}\n';
for (const file of ['dicts.jsonl', 'more.json']) writeFileSync(path.join(folder, file), dict);

async function help(...commands: string[]): Promise<string> {
  const { status, stdout, stderr } = await run([...commands, '--help']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('help', () => {
  it('names every command', async () => {
    const text = await help();
    for (const name of ['doctor', 'setup', 'inspect', 'convert', 'explain-copy'])
      expect(text).toContain(`\n  ${name} `);
  });

  it.each([
    [[]],
    [['doctor']],
    [['setup', 'sycl']],
    [['inspect']],
    [['convert']],
    [['explain-copy']],
  ])('of %j ends with the exit status and where the docs are', async (commands) => {
    const lines = (await help(...commands)).trimEnd().split('\n');
    expect(lines.at(-3)).toMatch(/^Exit status: 0 .+, 1 .+,$/);
    expect(lines.at(-2)).toMatch(/^2 /);
    expect(existsSync(lines.at(-1)?.replace('Docs: ', '') ?? '')).toBe(true);
  });

  it('of convert says which arguments it needs', async () => {
    const text = (await help('convert')).replaceAll(/\s+/g, ' ');
    expect(text).toContain('--to <protocol> required: ');
    expect(text).toContain('as opencl:cpu:0; needed for dicts that are not SUAI');
    expect(text).toContain('no memory moves');
    expect(text).not.toContain('--version');
  });

  it('of setup sycl says what it needs, and where it puts the runtime', async () => {
    const text = (await help('setup', 'sycl')).replaceAll(/\s+/g, ' ');
    for (const what of ['linux x64 with glibc', 'python3 with venv', '1.6 GB', '0.5 GB'])
      expect(text).toContain(what);
    expect(text).toContain('$XDG_CACHE_HOME/array-interface, or ~/.cache/array-interface');
    expect(text).toContain('--here');
  });

  it.each([
    [[], 4],
    [['doctor'], 2],
    [['inspect'], 4],
    [['convert'], 4],
    [['explain-copy'], 4],
  ])('of %j has %d examples that work', async (commands, count) => {
    const [, after = ''] = (await help(...commands)).split('\nExamples:\n');
    const examples = after.split('\n\n')[0]?.split('\n') ?? [];
    expect(examples).toHaveLength(count);
    const PATH = `${folder}:${process.env.PATH}`;
    for (const example of examples) {
      const { status, stderr } = spawnSync('sh', ['-c', example], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH },
      });
      expect({ example, status, stderr }).toEqual({ example, status: 0, stderr: '' });
    }
  });
});
