import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from './support/run-command.js';

const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...text.matchAll(/^```(sh|text)\n(.*?)^```$/gms)].map(([, language, code]) => ({
  language,
  code: code as string,
}));

/** The block that contains a text. */
function blockWith(part: string): string {
  const found = blocks.filter(({ code }) => code.includes(part));
  expect(found).toHaveLength(1);
  return found[0]?.code as string;
}

test('the dict that is pasted from Python is read', async () => {
  const [, args = '', input = ''] =
    /^npx array-interface (\S+) << 'END'\n(.*\n)END\n$/s.exec(blockWith("<< 'END'")) ?? [];
  const { status, stdout, stderr } = await run([args], input);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^<f4 {2}2 × 3 {2}cuda version 3\n/);
});

test('the refusals are those of the command', async () => {
  const readFrom = async (input: string) => (await run(['inspect'], input)).stderr;
  const python = blockWith('expected a comma').replace('dicts.txt', 'standard input');
  expect(await readFrom("{'shape': (2, 3) 'data': (4096, False)}")).toBe(
    python.replace(/:1:\d+:/, ':1:18:'),
  );
  const dict =
    '{"__cuda_array_interface__":{"shape":[2,3],"typestr":"<f4","data":[4096,false],"version":3,"strides":[1,"x"]}}';
  const good = dict.replace('"x"', '2');
  expect(await readFrom(`${good}\n${dict}\n`)).toBe(
    blockWith('[ERR_TYPE] strides[1]').replace('dicts.jsonl', 'standard input'),
  );
});

test('the plan of a copy is what the command prints', async () => {
  const args = ['3,1080,1920', 'C', '1,5760,3', '--from', 'uint8', '--threads', '4'];
  const { stdout } = await run(['explain-copy', ...args]);
  expect(stdout).toBe(blockWith('read     pixels into planes'));
});
