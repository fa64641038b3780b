import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonLines, run } from '../support/run-command.js';
import { readVectors } from '../support/vectors.js';

const dict = (more = '') =>
  `{"__cuda_array_interface__":{"shape":[2,3],"typestr":"<f4","data":[4096,false],"version":3${more}}}`;

/** Controls of both kinds, marks that turn text around, and what hides in it. */
const CONTROLS = '\u001b[31m\u007f\u009b31m\u202e\u200e\u200f\u061c\ufeff\u{e0041}';
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const REFUSED = [
  ['nonsense', 'ERR_TYPE'],
  ['{"__cuda_array_interface__":', 'ERR_TYPE'],
  [dict().replace('"version":3', '"version":3,"version":2'), 'ERR_TYPE'],
  ['5', 'ERR_TYPE'],
  ['null', 'ERR_TYPE'],
  ['"__cuda_array_interface__"', 'ERR_TYPE'],
  ['{}', 'ERR_NO_INTERFACE'],
  ['{"__proto__":{"__cuda_array_interface__":{}}}', 'ERR_NO_INTERFACE'],
  [`{"__array_interface__":{},${dict().slice(1)}`, 'ERR_NO_INTERFACE'],
  ['{"__cuda_array_interface__":null}', 'ERR_TYPE'],
  ['{"__cuda_array_interface__":4.0}', 'ERR_TYPE'],
  ['{"__sycl_usm_array_interface__":[]}', 'ERR_TYPE'],
  [dict().replace('[2,3]', '[2.0,3]'), 'ERR_TYPE'],
  [dict().replace('[2,3]', '[2e0,3]'), 'ERR_TYPE'],
  [dict().replace('4096', '1e400'), 'ERR_TYPE'],
  [dict(`,"mask":{"__cuda_array_interface__":1.0}`), 'ERR_TYPE'],
  ['['.repeat(100_000), 'ERR_TYPE'],
] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'array-interface-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function inspect(input: string): Promise<{ status: number | null; codes: unknown[] }> {
  const { status, stdout } = await run(['inspect', '--json'], input);
  const results = jsonLines(stdout) as { ok: boolean; error?: { code: string } }[];
  return { status, codes: results.map(({ ok, error }) => (ok ? 'ok' : error?.code)) };
}

describe.each([
  ['cuda-array-interface.json', '__cuda_array_interface__', 184],
  ['sycl-usm-array-interface.json', '__sycl_usm_array_interface__', 92],
])('inspect --json < %s', (file, attribute, total) => {
  const vectors = readVectors(file);
  let results: { ok: boolean; error?: { code: string; message: string } }[];
  beforeAll(async () => {
    const input = vectors.map(({ text }) => `{"${attribute}":${text}}\n`).join('');
    const { status, stdout, stderr } = await run(['inspect', '--json'], input);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    results = jsonLines(stdout) as typeof results;
  });

  it(`prints ${total} lines`, () => {
    expect(vectors).toHaveLength(total);
    expect(results).toHaveLength(total);
  });

  it.each(vectors.map((vector, index) => [vector.id, vector.expect, index] as const))(
    '%s',
    (_id, { why: _why, code, path: _path, ...wanted }, index) => {
      if (wanted.ok) expect(results[index]).toMatchObject(wanted);
      else expect(results[index]).toMatchObject({ ok: false, error: { code } });
    },
  );
});

describe('inspect', () => {
  it('says everything in this order', async () => {
    const { status, stdout } = await run(['inspect', '--json', '-'], dict(',"strides":[-12,4]'));
    expect(status).toBe(0);
    expect(stdout).toBe(
      '{"ok":true,"file":"-","line":1,"index":0,"protocol":"cuda","version":3,"pointer":"4096","shape":[2,3],' +
        '"byteStrides":[-12,4],"elementStrides":[-3,1],"itemsize":4,"kind":"f",' +
        '"byteOrder":"little","typestr":"<f4","size":6,"nbytes":24,"readOnly":false,' +
        '"stream":null,"contiguous":{"c":false,"f":false},"extent":[-12,12],"base":null,' +
        '"fields":null,"mask":null}\n',
    );
  });

  it('names the interface', async () => {
    const host = '{"__array_interface__":{"shape":[],"typestr":"|u1","data":[1,true],"version":3}}';
    const { stdout } = await run(['inspect', '--json'], host);
    expect(JSON.parse(stdout)).toMatchObject({ protocol: 'host', version: 3, readOnly: true });
  });

  it('reads a value, an array, or a value a line, from files too', async () => {
    const pretty = JSON.stringify(JSON.parse(dict()), null, 2);
    expect(await inspect(pretty)).toEqual({ status: 0, codes: ['ok'] });
    expect(await inspect(`\uFEFF${dict()}`)).toEqual({ status: 0, codes: ['ok'] });
    expect(await inspect(`[${dict()},\n${dict()}]`)).toEqual({ status: 0, codes: ['ok', 'ok'] });
    expect(await inspect(`[${dict()},${dict()}]`)).toEqual({ status: 0, codes: ['ok', 'ok'] });
    expect(await inspect(`${dict()}\r\n\r\n${dict()}`)).toEqual({ status: 0, codes: ['ok', 'ok'] });
    expect(await inspect('')).toEqual({ status: 0, codes: [] });
    expect(await inspect('[]')).toEqual({ status: 0, codes: [] });
    const file = path.join(folder, 'in.json');
    await writeFile(file, pretty);
    const { status, stdout } = await run(['inspect', file, '--json']);
    expect({ status, found: jsonLines(stdout).length }).toEqual({ status: 0, found: 1 });
  });

  it('refuses a line, and goes on with the others', async () => {
    const input = REFUSED.map(([line]) => `${line}\n${dict()}\n`).join('');
    const codes = REFUSED.flatMap(([, code]) => [code, 'ok']);
    expect(await inspect(input)).toEqual({ status: 1, codes });
  });

  it.each([
    ["{'shape': (2, 3), 'data': (4096, False)}", 1],
    ["{'__cuda_array_interface__': {'shape': (2, 3),\n  'data': (4096, False)}}", 1],
    ["[{'shape': (2, 3)}, {'shape': (2, 3)}]", 1],
    [`${dict()}\n{'shape': (2, 3)}`, 2],
  ])('says how Python can print %j', async (text, line) => {
    const { status, stderr } = await run(['inspect'], text);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        `standard input:${line}: index ${line - 1}: [ERR_TYPE] expected a JSON value, ` +
        'got a Python dict; print it in Python with json.dumps\n',
    });
  });

  it.each([
    ['"stream":1', '__cuda_array_interface__'],
    ['"syclobj":"cpu"', '__sycl_usm_array_interface__'],
  ])('names the attribute that is missing around {…,%s}', async (key, attribute) => {
    const bare = `{"shape":[2,3],"typestr":"<f4","data":[4096,false],"version":1,${key}}`;
    const { status, stderr } = await run(['inspect'], bare);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^standard input:1: index 0: \[ERR_NO_INTERFACE\] .*\n$/);
    expect(stderr).toContain(
      `got a dict without the attribute around it; write {"${attribute}":{…}}\n`,
    );
  });

  it.each(['nonsense', '5', '{"__cuda_array_interface__":'])('refuses only %s', async (text) => {
    expect(await inspect(text)).toEqual({ status: 1, codes: ['ERR_TYPE'] });
  });

  it('says that nesting is too deep', async () => {
    const { stdout } = await run(['inspect', '--json'], `1\n${'['.repeat(100_000)}`);
    expect(stdout).toContain('too many nested values');
  });

  it('refuses each line of input that is neither one value nor a value a line', async () => {
    expect(await inspect(`{"a":\n${dict()}`)).toEqual({ status: 1, codes: ['ERR_TYPE', 'ok'] });
    expect(await inspect(`${dict()}\n[${dict()}]`)).toEqual({
      status: 1,
      codes: ['ok', 'ERR_TYPE'],
    });
    expect(await inspect(`[[${dict()}]]`)).toEqual({ status: 1, codes: ['ERR_TYPE'] });
  });

  it('takes a list over several lines as one value, and says where it is wrong', async () => {
    const text = `[\n  ${dict()},\n\n  {"shape": [2, 3],},\n  ${dict()}\n]\n`;
    const { status, stdout, stderr } = await run(['inspect'], text);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^standard input:4: index 0: \[ERR_TYPE\] expected a JSON value, .*\n$/);
  });

  it('says file, line and index of each value of several files', async () => {
    const [first, second] = ['first.jsonl', 'second.json'].map((name) => path.join(folder, name));
    await writeFile(first as string, `\n${dict()}\nnonsense\r\n\n5\n${dict()}`);
    await writeFile(second as string, `[${dict()},"a,]\\"[",\n\n  {"a": [{}]\n}, ${dict()}]\n`);
    const places = [
      [first, 2, 0, true],
      [first, 3, 1, false],
      [first, 5, 2, false],
      [first, 6, 3, true],
      [second, 1, 0, true],
      [second, 1, 1, false],
      [second, 3, 2, false],
      [second, 4, 3, true],
    ] as const;
    const files = [first as string, second as string];
    const json = await run(['inspect', '--json', ...files]);
    expect({ ...json, stdout: jsonLines(json.stdout) }).toMatchObject({
      status: 1,
      stdout: places.map(([file, line, index, ok]) => ({ ok, file, line, index })),
      stderr: '',
    });
    const { stdout, stderr } = await run(['inspect', ...files]);
    const heads = (text: string) => text.split('\n').filter((line) => line.startsWith(folder));
    expect(heads(stdout)).toEqual(
      places.filter(([, , , ok]) => ok).map(([file, line]) => `${file}:${line}:`),
    );
    expect(heads(stderr).map((line) => line.split(' [ERR_')[0])).toEqual(
      places
        .filter(([, , , ok]) => !ok)
        .map(([file, line, index]) => `${file}:${line}: index ${index}:`),
    );
  });

  it('shows the name of a file without control characters', async () => {
    const file = path.join(folder, CONTROLS);
    await writeFile(file, `nonsense\n${dict()}`);
    const { status, stdout, stderr } = await run(['inspect', file, file]);
    expect(status).toBe(1);
    expect(stdout + stderr).toContain(`${folder}/\\u001b[31m`);
    expect((stdout + stderr).match(UNPRINTABLE)).toBe(null);
  });

  it.each([
    ['"used_SyclQueueRef"', 'ERR_SYCLOBJ'],
    ['"SyclQueueRef"', 'ok'],
    ['1', 'ERR_TYPE'],
  ])('takes a capsule by its name: %s', async (name, code) => {
    const sycl = `{"shape":[1],"typestr":"<f4","data":[1,true],"version":1,"syclobj":{"$capsule":${name}}}`;
    expect((await inspect(`{"__sycl_usm_array_interface__":${sycl}}`)).codes).toEqual([code]);
  });

  it('takes no other object as a capsule', async () => {
    const object = '{"name":"SyclQueueRef","pointer":18446744073709551615}';
    const sycl = `{"shape":[1],"typestr":"<f4","data":[1,true],"version":1,"syclobj":${object}}`;
    expect((await inspect(`{"__sycl_usm_array_interface__":${sycl}}`)).codes).toEqual(['ERR_TYPE']);
  });

  it('draws the layout', async () => {
    const mask =
      ',"mask":{"__cuda_array_interface__":{"shape":[3],"typestr":"|b1","data":[64,true],"version":3}}';
    const { status, stdout } = await run(['inspect'], dict(`,"strides":[-16,4],"stream":2${mask}`));
    expect(status).toBe(0);
    expect(stdout).toMatch(/^<f4 {2}2 × 3 {2}cuda version 3\n {2}at {7}0x1000\n/);
    expect(stdout).toContain('\n  mask     |b1 [3] at 0x40');
    expect(stdout).toContain('\n  memory   ████████████····0███████████\n');
  });

  it('says who can read it', async () => {
    const { status, stdout } = await run(['inspect', '--readers'], dict(',"strides":[-12,4]'));
    expect(status).toBe(0);
    expect(stdout).toMatch(/^<f4 {2}2 × 3 {2}cuda version 3\n/);
    const lines = stdout.split('\n').filter((line) => /^ {2}\S.* (?:yes|no: )/.test(line));
    expect(lines).toHaveLength(18);
    const spaced = lines.map((line) => line.trim().replace(/ +/g, ' '));
    expect(spaced).toContain('NumPy yes');
    expect(spaced).toContain('PyTorch yes, but it ignores that strides are negative');
    expect(spaced).toContain('PyTorch on the CPU no: expects non-negative strides; copy it first');
    expect(spaced).toContain('DALI no: expects elements in C order without gaps; copy it first');
    const both = await run(['inspect', '--readers', '--json'], dict());
    expect(both.status).toBe(2);
  });

  it('says why and where', async () => {
    const { status, stdout, stderr } = await run(['inspect'], dict(',"strides":[1,"x"]'));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^standard input:1: index 0: \[ERR_TYPE\] strides\[1\]: expected an integer, got "x"/,
    );
    expect(stderr.split('\n').slice(-4)).toEqual([
      '  version: 3',
      '  strides: [1, "x"]',
      '               ^^^',
      '',
    ]);
  });

  it.each([
    ['inspect', '-'],
    ['inspect', '--readers'],
    ['inspect', '--json'],
    ['convert', '--to', 'host'],
  ])('%s %s prints no control characters', async (...args) => {
    const descr = [
      [`a${CONTROLS}`, '<f4'],
      [[`title${CONTROLS}`, 'b'], '<f4'],
      ['c', [[`d${CONTROLS}`, '<f4']]],
    ];
    const layout = { shape: [3], typestr: '|V12', data: [4096, false], version: 3, descr };
    const values = [
      { __array_interface__: layout },
      { __array_interface__: { ...layout, typestr: CONTROLS } },
      { [CONTROLS]: CONTROLS },
    ];
    // As they are, where JSON may hold them so.
    const lines = values.map((value) => JSON.stringify(value)).join('\n');
    const { stdout, stderr } = await run(args, `${lines}\n${CONTROLS}`);
    expect(stdout).toContain('31m');
    expect(stdout.match(UNPRINTABLE)).toBe(null);
    expect(stderr.match(UNPRINTABLE)).toBe(null);
  });

  it('prints no control characters of names, keys and values', async () => {
    const all = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => character.search(UNPRINTABLE) === 0 || character === '\n');
    expect(all.length).toBeGreaterThan(200);
    const texts = Array.from({ length: 20 }, (_, first) =>
      all.filter((_character, index) => index % 20 === first).join('é'),
    );
    const lines = texts.map((text) => {
      const fields = [
        [[`title ${text}`, text], '<f4'],
        ['b', [[text, '<f4']]],
      ];
      const layout = { shape: [3], typestr: '|V8', data: [4096, false], version: 3 };
      const refused = { ...layout, typestr: text, [text]: text };
      return [{ ...layout, descr: fields }, refused, { ...layout, mask: { [text]: text } }]
        .map((dict) => JSON.stringify({ __array_interface__: dict }))
        .join('\n');
    });
    for (const args of [
      ['inspect', '--readers'],
      ['convert', '--to', 'cuda'],
    ]) {
      const { stdout, stderr } = await run(args, lines.join('\n'));
      expect([stdout, stderr].map((text) => text.split('\n').length > texts.length)).toEqual([
        true,
        true,
      ]);
      expect((stdout + stderr).match(UNPRINTABLE)).toBe(null);
      const lengths = (stdout + stderr).split('\n').map((line) => line.length);
      expect(Math.max(...lengths)).toBeLessThan(4000);
    }
  });

  it('prints a result for each line of a long input', async () => {
    const count = 20_000;
    const { status, stdout } = await run(['inspect', '--json'], `${dict()}\n`.repeat(count));
    expect(status).toBe(0);
    expect(stdout.split('\n')).toHaveLength(count + 1);
  });
});
