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

  it('reads what Python prints, and the same in JSON, with and without the attribute', async () => {
    const cuda =
      "{'shape': (2, 3), 'typestr': '<f4', 'data': (0x1000, False), 'stream': 1, 'version': 3}";
    const pretty =
      "{'data': (4096, False),\n 'descr': [('', '<f4')],\n 'shape': (np.int64(2), 3),\n 'stream': 1, 'strides': None,\n 'typestr': '<f4',\n 'version': 3,}";
    const texts = [
      cuda,
      pretty,
      `{'__cuda_array_interface__': ${cuda}}`,
      `{"__cuda_array_interface__":\n  ${pretty}}`,
      dict(',"stream":1'),
      dict(',"stream":1').slice('{"__cuda_array_interface__":'.length, -1),
    ];
    const whole = await run(['inspect', '--json'], texts.join('\n'));
    expect({ status: whole.status, stderr: whole.stderr }).toEqual({ status: 0, stderr: '' });
    const places = [1, 2, 8, 9, 16, 17].map((line, index) => ({ file: '-', line, index }));
    const wanted = {
      ...{ ok: true, protocol: 'cuda', version: 3, pointer: '4096', shape: [2, 3], stream: '1' },
      ...{ byteStrides: [12, 4], typestr: '<f4', readOnly: false },
    };
    expect(jsonLines(whole.stdout)).toMatchObject(places.map((place) => ({ ...wanted, ...place })));
    const list = await run(['inspect', '--json'], `[${texts.join(',\n')}]`);
    expect(jsonLines(list.stdout)).toEqual(jsonLines(whole.stdout));
    const one = await run(['inspect', '--json'], pretty);
    expect(jsonLines(one.stdout)).toMatchObject([wanted]);
  });

  it.each([
    ["'version': 0", 'cuda'],
    ["'version': 2", 'cuda'],
    ["'version': 1, 'stream': None", 'cuda'],
    ["'version': 3, 'stream': 1", 'cuda'],
    ["'version': 1, 'syclobj': 'cpu'", 'sycl'],
    ["'version': 1, 'syclobj': <dpctl.SyclQueue at 0x7f9c3c0b8ab0>", 'sycl'],
    ["'version': 1, 'syclobj': <capsule object \"SyclQueueRef\" at 0x7f>", 'sycl'],
  ])('knows whose dict has %s', async (keys, protocol) => {
    const bare = `{'shape': (3,), 'typestr': '<f4', 'data': (4096, False), ${keys}}`;
    const { status, stdout } = await run(['inspect', '--json'], bare);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, protocol });
  });

  it.each([
    ["'version': 1", 'cuda or sycl', '--protocol cuda or --protocol sycl'],
    ["'version': 3", 'cuda or host', '--protocol cuda or --protocol host'],
    ["'version': 3, 'descr': [('', '<f4')]", 'cuda or host', '--protocol cuda or --protocol host'],
    [
      "'strides': None",
      'cuda or sycl or host',
      '--protocol cuda or --protocol sycl or --protocol host',
    ],
    ["'syclobj': 'cpu', 'stream': 1", 'cuda or sycl or host', '--protocol cuda'],
  ])('asks whose dict has %s', async (keys, whose, cure) => {
    const bare = `{'shape': (3,), 'typestr': '<f4', 'data': (4096, False), ${keys}}`;
    const { status, stderr } = await run(['inspect'], bare);
    expect(status).toBe(1);
    expect(stderr).toContain(
      `index 0: [ERR_NO_INTERFACE] expected a dict with its attribute around it, `,
    );
    expect(stderr).toContain(`, got one that may be of ${whose}; add ${cure}`);
  });

  it('says which key a dict lacks', async () => {
    const { stderr } = await run(
      ['inspect'],
      "{'shape': (3,), 'data': (4096, False), 'version': 2}",
    );
    expect(stderr).toMatch(/^standard input:1: index 0: \[ERR_MISSING_KEY\] typestr: /);
  });

  it.each(['host', 'numpy'])('--protocol %s says whose the dicts are', async (name) => {
    const numpy =
      "{'data': (4096, False), 'strides': None, 'descr': [('', '<f4')], 'typestr': '<f4', 'shape': (3,), 'version': 3}";
    const args = ['inspect', '--json', '--protocol', name];
    const { status, stdout } = await run(args, `${numpy}\n${dict()}\n{'version': 3}\n`);
    expect(status).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([
      { ok: true, protocol: 'host', shape: [3] },
      { ok: true, protocol: 'cuda' },
      { ok: false, error: { code: 'ERR_MISSING_KEY', path: 'typestr' } },
    ]);
    const both = `{"__array_interface__": ${numpy}, ${dict().slice(1)}`;
    const chosen = await run(args, both);
    expect(JSON.parse(chosen.stdout)).toMatchObject({ ok: true, protocol: 'host' });
    const converted = await run(['convert', '--to', name, '--protocol', name], numpy);
    expect(JSON.parse(converted.stdout)).toMatchObject({ __array_interface__: { shape: [3] } });
  });

  it.each([
    ["{'shape': (2, 3) 'data': (4096, False)}", '1:18', 'expected a comma or }, got a text'],
    [`${dict()}\n{'shape': (2, 3,}\n5`, '2:17', 'expected a value, got "}"'],
    [
      "{'a': 1,\n\n 'mask': <cupy.ndarray object at 0x7f9c>}",
      '3:10',
      'expected a value, not an object as Python prints it, got "<cupy.ndarray object at 0x7f9c>"; leave',
    ],
  ])('says where %j is wrong, and what is there', async (text, place, message) => {
    const { status, stderr } = await run(['inspect'], text);
    expect(status).toBe(1);
    expect(stderr).toContain(`standard input:${place}: index `);
    expect(stderr).toContain(`: [ERR_TYPE] ${message}`);
    const json = await run(['inspect', '--json'], text);
    const [line, column] = place.split(':').map(Number);
    expect(jsonLines(json.stdout)).toContainEqual(
      expect.objectContaining({ ok: false, line, column }),
    );
  });

  it.each(['nonsense', '5', '{"__cuda_array_interface__":'])('refuses only %s', async (text) => {
    expect(await inspect(text)).toEqual({ status: 1, codes: ['ERR_TYPE'] });
  });

  it('says that nesting is too deep', async () => {
    const { stdout } = await run(['inspect', '--json'], `1\n${'['.repeat(100_000)}`);
    expect(stdout).toContain('expected values nested at most 200 deep, got deeper ones');
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
    const text = `[\n  ${dict()},\n\n  {"shape": [2, 3];},\n  ${dict()}\n]\n`;
    const { status, stdout, stderr } = await run(['inspect'], text);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(
      /^standard input:4:19: index 0: \[ERR_TYPE\] expected a comma or }, got ";"; .*\n$/,
    );
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
    const columns = /(?<=:\d+):\d+(?=: index)/;
    expect(heads(stderr).map((line) => line.split(' [ERR_')[0]?.replace(columns, ''))).toEqual(
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
    expect(spaced).toContain('NumPy no: expects host memory, got CUDA memory; copy it there first');
    expect(spaced).toContain('PyTorch yes, but it ignores that strides are negative');
    expect(spaced).toContain(
      'PyTorch on the CPU no: expects host memory, got CUDA memory; copy it there first',
    );
    expect(spaced).toContain('DALI no: expects elements in C order without gaps; copy it first');
  });

  it.each([
    ['__cuda_array_interface__', '', /^cuda$/],
    ['__sycl_usm_array_interface__', ',"syclobj":"cpu"', /^sycl$/],
    ['__array_interface__', '', /^(?:host|dlpack|buffer)$/],
  ])(
    'lets only readers of the same memory read %s, in text and JSON',
    async (attribute, more, own) => {
      const version = attribute === '__sycl_usm_array_interface__' ? 1 : 3;
      const value = `{"${attribute}":{"shape":[3],"typestr":"<f4","data":[4096,false],"version":${version}${more}}}`;
      const { stdout } = await run(['inspect', '--readers', '--json'], value);
      const { readers } = JSON.parse(stdout) as { readers: Record<string, unknown>[] };
      expect(readers).toHaveLength(18);
      for (const { name, protocol, takes, why, loses } of readers) {
        expect({ name, takes }).toEqual({ name, takes: own.test(String(protocol)) });
        expect(why === null).toBe(takes);
        expect(loses).toEqual([]);
      }
      const text = await run(['inspect', '--readers'], value);
      for (const { name, takes, why } of readers) {
        const verdict = takes === true ? 'yes' : `no: ${String(why)}`;
        const line = text.stdout.split('\n').find((one) => one.startsWith(`  ${String(name)}  `));
        expect(line?.replace(/^ {2}(.*?) {2,}/, '')).toBe(verdict);
      }
    },
  );

  it('asks what readers make of the version of the dict', async () => {
    const old = dict().replace('"version":3', '"version":2');
    const { stdout } = await run(['inspect', '--readers'], old);
    expect(stdout).toMatch(/^ {2}cuda\.core +no: expects version 3 or later of the interface; /m);
    expect(stdout).toMatch(/^ {2}CuPy +yes$/m);
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
