import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readValues, type Value } from '../../src/input/read-values.js';

async function* chunksOf(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) {
    await turn(); // as a file does
    yield typeof text === 'string' ? Buffer.from(text) : text;
  }
}

async function all(...texts: (string | Uint8Array)[]): Promise<Value[]> {
  const found: Value[] = [];
  for await (const value of readValues(chunksOf(...texts), 'x.txt')) found.push(value);
  return found;
}

/** Each value, or the line and column of a problem, after the line. */
async function read(...texts: string[]): Promise<unknown[]> {
  return (await all(...texts)).map(({ parsed, line, column }) =>
    'value' in parsed ? [line, parsed.value] : `${line}:${column}`,
  );
}

describe('values', () => {
  test.each<[string, unknown[]]>([
    ['', []],
    ['\n \r\n', []],
    ['\ufeff1', [[1, 1]]],
    ['[]', []],
    [
      '[1,2]',
      [
        [1, 1],
        [1, 2],
      ],
    ],
    ['()', []],
    [
      "\n({'a': 1},\n\n\n {'a': 2})\n",
      [
        [2, { a: 1 }],
        [5, { a: 2 }],
      ],
    ],
    [
      '[\n1\n,\n"a,b"]',
      [
        [2, 1],
        [4, 'a,b'],
      ],
    ],
    [
      '[[1,\n2],\n{"a": [\n{}], "b": 2}, -5\n]',
      [
        [1, [1, 2]],
        [3, { a: [{}], b: 2 }],
        [4, -5],
      ],
    ],
    [
      '["]\\"[",\n"\\\\",\nTrue]',
      [
        [1, ']"['],
        [2, '\\'],
        [3, true],
      ],
    ],
    [
      '([1,\n2])',
      [
        [1, 1],
        [1, 2],
      ],
    ],
    [
      '1\n[2, 3]\n',
      [
        [1, 1],
        [2, [2, 3]],
      ],
    ],
    [
      "{'a': (1,\n 2)}\n\n{\n'b': '}'}\n3",
      [
        [1, { a: [1, 2] }],
        [4, { b: '}' }],
        [6, 3],
      ],
    ],
    [
      "{'a': 1}\n{'b':\n[\n2]}",
      [
        [1, { a: 1 }],
        [2, { b: [2] }],
      ],
    ],
  ])('of %j', async (text, values) => {
    expect(await read(text)).toEqual(values);
    expect(await read(...text)).toEqual(values);
  });

  test.each<[string, unknown[]]>([
    ['nonsense', ['1:1']],
    ["{'a': 1,\n 'b': nonsense,\n 'c': 2}\n{'d': 1}", ['2:7', [4, { d: 1 }]]],
    ["{'a': 1,\n\n  'b': (2, 3}", ['3:13']],
    ["{'a': '😀é', b}", ['1:13']],
    ["{'a': 1,\n 'b': 2", ['1:1']],
    // one bracket is left open, and what follows is a value a line
    ["{'a': (1,\n{'b': 2}\n{'c': 3}", ['1:7', [2, { b: 2 }], [3, { c: 3 }]]],
    ["{'a': 'x,\n{'b': 2\n{'c': x}", ['1:7', '2:1', '3:7']],
    ["{'a': (1,\n 5,\n {'b': 2}\n", ['1:7', '2:3', [3, { b: 2 }]]],
    ["{'a': }\n]\n{'b': 1}", ['1:7', '2:1', [3, { b: 1 }]]],
  ])('wrong ones of %j', async (text, values) => {
    expect(await read(text)).toEqual(values);
  });

  test('arrive before the input ends', async () => {
    const seen: unknown[] = [];
    async function* slow() {
      for (const text of ['1\n', "{'a':\n", '1}\n', '2\n', '3\n']) {
        seen.push(text);
        yield Buffer.from(text);
      }
    }
    for await (const { parsed } of readValues(slow(), '-'))
      seen.push('value' in parsed && parsed.value);
    expect(seen).toEqual(['1\n', "{'a':\n", '1}\n', 1, { a: 1 }, '2\n', 2, '3\n', 3]);
  });

  test('may be cut inside a character', async () => {
    const bytes = Buffer.from('"é"\n"😀"');
    const values = await all(...[...bytes].map((byte) => Uint8Array.of(byte)));
    expect(values.map(({ parsed }) => 'value' in parsed && parsed.value)).toEqual(['é', '😀']);
  });
});

describe('much input', () => {
  const MIB = 2 ** 20;
  const ones = '1'.repeat(MIB);

  test('of one line or one value is refused from 16 MiB on', async () => {
    await expect(all('5\n', ...Array.from({ length: 17 }, () => ones))).rejects.toThrow(
      'x.txt:2: expected a line of at most 16777216 characters, got a longer one; write one value a line',
    );
    await expect(all('\n[\n', ...Array.from({ length: 17 }, () => `${ones}\n`))).rejects.toThrow(
      'x.txt:2: expected a value of at most 16777216 characters, got a longer one; write one value a line',
    );
  });

  // Quadratic time would be minutes for these.
  test.each<[string, string, number]>([
    ['lines that open a bracket', "{'a': [\n".repeat(2 ** 15), 2 ** 15],
    ['lines of a bracket', '[\n'.repeat(2 ** 15), 1],
    ['lines that open a text', "{'a\n".repeat(2 ** 15), 2 ** 15],
    ['a value on many lines', `[\n${"{'a': 1},\n".repeat(2 ** 15)}]`, 2 ** 15],
    ['a value on many lines that is wrong at its end', `[\n${'1,\n'.repeat(2 ** 16)}}`, 1],
    ['many values on two lines', "{'a':\n1}\n".repeat(2 ** 15), 2 ** 15],
    ['many wrong values on two lines', "{'a':\nx}\n".repeat(2 ** 15), 2 ** 15],
    ['one long line', `"${'a'.repeat(2 ** 23)}"`, 1],
  ])('of %s takes linear time', async (_name, text, count) => {
    const size = 2 ** 16;
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, (index + 1) * size),
    );
    expect(await all(...chunks)).toHaveLength(count);
  });
});
