import { spawn } from 'node:child_process';
import { random } from '@array-interface/random';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLiteral } from '../../src/values/literal.js';

/** The value of a text; floats that are whole numbers by their text. Throws the problem. */
function read(text: string): unknown {
  const parsed = parseLiteral(text);
  if ('problem' in parsed) throw new Error(`${parsed.position}: ${parsed.problem}`);
  return parsed.value;
}

/** The same, with numbers for the floats that are kept apart from integers. */
function plain(value: unknown): unknown {
  if (typeof value === 'symbol') return Number(value.description?.replace('the float ', ''));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

describe('what is read', () => {
  test.each<[string, unknown]>([
    ['None', null],
    [' null\r\n', null],
    ['[True, true, False, false, np.True_, np.False_]', [true, true, false, false, true, false]],
    ['()', []],
    ['(1,)', [1]],
    ['(1)', 1],
    ['((1), [2,],)', [1, [2]]],
    ['{}', {}],
    ['{\'a\': 1, "b": (2, 3),\n}', { a: 1, b: [2, 3] }],
    ['{"__proto__": {"a": 1}}', Object.fromEntries([['__proto__', { a: 1 }]])],
    [
      '[0, -0, +5, -5, 00, 1_000, 0x1F, -0xff, 0o17, 0b1_01]',
      [0, 0, 5, -5, 0, 1000, 31, -255, 15, 5],
    ],
    ['9007199254740991', 9007199254740991],
    ['[9007199254740992, -9007199254740993]', [9007199254740992n, -9007199254740993n]],
    ['-0xffff_ffff_ffff_ffff', -18446744073709551615n],
    ['9'.repeat(4300), 10n ** 4300n - 1n],
    ['[1.5, -2.5e-3, .5, 1_0.5, 1e400, -1E400]', [1.5, -0.0025, 0.5, 10.5, Infinity, -Infinity]],
    ['[inf, -inf, Infinity, -Infinity]', [Infinity, -Infinity, Infinity, -Infinity]],
    ['[nan, NaN]', [Number.NaN, Number.NaN]],
    ['(np.int64(-5), np.uint8(7), np.float32(1.5), np.str_("a"))', [-5, 7, 1.5, 'a']],
    [`'it is "so"'`, 'it is "so"'],
    [
      `"it's\\n\\t\\\\ \\/ \\x41\\u00e9\\U0001f600\\101\\0"`,
      "it's\n\t\\ / AéὠAA\0".replace('ὠ', '😀').replace('AA', 'A'),
    ],
    ['"\\ud83d\\ude00"', '😀'],
    ["('a '\n r'b'\r\n\"c\")", 'a bc'],
    ["{'a': 'b '\n  b'c',\n 'd': ['e'\n\t'f', 'g']}", { a: 'b c', d: ['ef', 'g'] }],
    [
      `[r'\\n', R"\\'", b'<f4\\xff', u'x', bR'\\', rb"", Br'a']`.replace("bR'\\', ", ''),
      ['\\n', "\\'", '<f4ÿ', 'x', '', 'a'],
    ],
    ["<dpctl.SyclQueue at 0x7f9c, property=['in_order']>", { $queue: true }],
    ['<dpctl._sycl_queue.SyclQueue object at 0x7f9c>', { $queue: true }],
    ['<dpctl.SyclContext for 2 devices at 0x7f9c>', { $context: true }],
    ['<capsule object "SyclQueueRef" at 0x7f9c>', { $capsule: 'SyclQueueRef' }],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  test.each(['4.0', '-0.0', '1e3', '5.', '1_0.0'])('%s is no integer', (text) => {
    const value = read(text) as symbol;
    expect(value.description).toBe(`the float ${text}`);
  });

  test('every spelling of a float has its value', () => {
    const digits = fc.stringMatching(/^\d{1,5}$/);
    const exponent = fc
      .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits)
      .map((parts) => parts.join(''));
    const fraction = digits.map((after) => `.${after}`);
    const end = fc.oneof(
      fraction,
      exponent,
      fc.tuple(fraction, exponent).map(([a, b]) => a + b),
    );
    const spelled = fc.tuple(fc.constantFrom('', '+', '-'), digits, end);
    const property = fc.property(spelled, (parts) => {
      const text = parts.join('');
      expect(plain(read(`[${text}]`)), text).toEqual([Number(text)]);
    });
    fc.assert(property);
  });

  test('where the entries of a list begin', () => {
    const parsed = parseLiteral(" [1,\n {'a': [2, 3]}, (4,) ]");
    expect(parsed).toMatchObject({ starts: [2, 6, 21] });
  });
});

const WRITE = '; write JSON, or what Python prints for a dict';

describe('what is refused, with its position', () => {
  test.each<[string, number, string]>([
    ['', 0, `expected a value, got the end${WRITE}`],
    ['nonsense', 0, `expected a value, got "nonsense"${WRITE}`],
    ['array([2, 3])', 0, `expected a value, got "array"${WRITE}`],
    ['np.array(5)', 0, `expected a value, got "np.array"${WRITE}`],
    ['é', 0, `expected a value, got "é"${WRITE}`],
    ['1 2', 2, 'expected the end of the value, got "2"; write one value a line'],
    ['{} }', 3, 'expected the end of the value, got "}"; write one value a line'],
    ['[1 2]', 3, `expected a comma or ], got "2"${WRITE}`],
    ['(1 2)', 3, `expected a comma or ), got "2"${WRITE}`],
    ["{'a' 'b'}", 5, `expected a colon after the key, got a text${WRITE}`],
    ["{'a': 1 'b': 2}", 8, `expected a comma or }, got a text${WRITE}`],
    ["('a' '<f4')", 5, `expected a comma or ), got a text${WRITE}`],
    ["{'a'\n 'b': 1}", 6, `expected a colon after the key, got a text${WRITE}`],
    ['[1,,2]', 3, `expected a value, got ","${WRITE}`],
    ['[,]', 1, `expected a value, got ","${WRITE}`],
    ['{,}', 1, `expected a key in quotes, got ","${WRITE}`],
    ['{a: 1}', 1, `expected a key in quotes, got "a"${WRITE}`],
    ['{1: 2}', 1, `expected a key in quotes, got "1"${WRITE}`],
    ['{f"a": 2}', 1, `expected a key in quotes, got "f"${WRITE}`],
    ['{\'a\': 1, "a": 1}', 9, 'expected each key once, got "a" again; remove one of them'],
    ['[1, {"a": 2', 4, 'expected a } that closes this {, got the end; close every bracket'],
    ['[1,', 0, 'expected a ] that closes this [, got the end; close every bracket'],
    ['[1}', 2, `expected a comma or ], got "}"${WRITE}`],
    ['[1, "a\n"]', 4, 'expected a text on one line, got the end of the line; close it with "'],
    ["'a", 0, "expected a text on one line, got the end of the line; close it with '"],
    [
      "'a\\",
      2,
      'expected an escape that JSON or Python has, got "\\\\"; write \\\\ for a backslash',
    ],
    [
      "'\\d'",
      1,
      'expected an escape that JSON or Python has, got "\\\\d"; write \\\\ for a backslash',
    ],
    [
      "'\\x4'",
      1,
      'expected an escape that JSON or Python has, got "\\\\x"; write \\\\ for a backslash',
    ],
    [
      "'\\U00110000'",
      1,
      'expected an escape that JSON or Python has, got "\\\\U"; write \\\\ for a backslash',
    ],
    ['007', 0, `expected a value, got "007"${WRITE}`],
    ['1__0', 0, `expected a value, got "1__0"${WRITE}`],
    ['0x', 0, `expected a value, got "0x"${WRITE}`],
    ['1j', 0, `expected a value, got "1j"${WRITE}`],
    ['--1', 0, `expected a value, got "-"${WRITE}`],
    [
      '9'.repeat(5000),
      0,
      `expected a number of at most 4300 digits, got "${'9'.repeat(40)}…"${WRITE}`,
    ],
    [
      "{'mask': <cupy.ndarray object at 0x7f>}",
      9,
      'expected a value, not an object as Python prints it, got "<cupy.ndarray object at 0x7f>"; leave its key out, or write a value in its place',
    ],
    [
      '<',
      0,
      'expected a value, not an object as Python prints it, got "<"; leave its key out, or write a value in its place',
    ],
  ])('%s', (text, position, problem) => {
    expect(parseLiteral(text)).toEqual({ problem, position });
  });

  test('what is nested too deep', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(parseLiteral(nested(200))).toHaveProperty('value');
    expect(parseLiteral(nested(201))).toEqual({
      problem: 'expected values nested at most 200 deep, got deeper ones; take the inner ones out',
      position: 200,
    });
  });
});

/** A value, and how Python is told of it. */
interface Case {
  readonly value: unknown;
  readonly python: unknown;
}

const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false).map((value) => ({ value, python: value })),
  fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })).map((number) => ({
    value: Number.isSafeInteger(Number(number)) ? Number(number) : BigInt(number),
    python: ['int', String(number)],
  })),
  fc
    .double()
    .map((value) => ({ value, python: ['float', Object.is(value, -0) ? '-0.0' : String(value)] })),
  fc.string({ unit: 'binary' }).map((value) => ({ value, python: ['str', value] })),
  fc.uint8Array().map((bytes) => ({
    value: String.fromCharCode(...bytes),
    python: ['bytes', [...bytes]],
  })),
);
const { tree } = fc.letrec<{ tree: Case }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(fc.constantFrom('list', 'tuple'), fc.array(tie('tree'))).map(([kind, all]) => ({
      value: all.map(({ value }) => value),
      python: [kind, all.map(({ python }) => python)],
    })),
    fc
      .uniqueArray(
        fc.tuple(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('__proto__')), tie('tree')),
        {
          selector: ([key]) => key,
        },
      )
      .map((all) => ({
        value: Object.fromEntries(all.map(([key, { value }]) => [key, value])),
        python: ['dict', all.map(([key, { python }]) => [key, python])],
      })),
  ),
}));

/** Prints each value in the ways in which people print dicts, as one list of texts a line. */
const PRINTER = `
import json, pprint, sys
def make(told):
    if not isinstance(told, list): return told
    kind, value = told
    if kind in ("int", "str"): return {"int": int, "str": str}[kind](value)
    if kind == "float": return float(value.replace("Infinity", "inf"))
    if kind == "bytes": return bytes(value)
    if kind == "dict": return {key: make(one) for key, one in value}
    return {"list": list, "tuple": tuple}[kind](make(one) for one in value)
def has(value, kind):
    if isinstance(value, dict): return any(has(one, kind) for one in value.values())
    return any(has(one, kind) for one in value) if isinstance(value, (list, tuple)) else isinstance(value, kind)
def spread(value):
    if isinstance(value, dict):
        return "{\\n" + "".join(f"  {key!r}\\n:\\t{spread(one)} ,\\r\\n" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        first, last = "[]" if isinstance(value, list) else "()"
        return first + "".join(f"\\n {spread(one)}," for one in value) + "\\n" + last
    return repr(value)
for line in sys.stdin:
    value = make(json.loads(line))
    texts = [repr(value), ascii(value), spread(value), pprint.pformat(value, width=30)]
    if not has(value, bytes): texts += [json.dumps(value), json.dumps(value, ensure_ascii=False, indent=1)]
    print(json.dumps(texts))
`;

const settings = random(150);

/** What a program of Python prints, without waiting for it on this thread. */
function python(program: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, PYTHONIOENCODING: 'utf-8' };
    const child = spawn('python3', ['-c', program], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
    child.stdin.end(input);
  });
}

test(`whatever Python prints is read back equal, seed ${settings.seed}`, async () => {
  const cases = fc.sample(tree, settings);
  const told = cases.map((one) => JSON.stringify(one.python)).join('\n');
  const printed = (await python(PRINTER, told))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as string[]);
  expect(printed).toHaveLength(cases.length);
  for (const [index, texts] of printed.entries()) {
    for (const text of texts) expect(plain(read(text)), text).toEqual(cases[index]?.value);
  }
});

describe('hostile texts', () => {
  const piece = fc.oneof(
    fc.constantFrom(...`{}[]()<>"'\\,:+-._e01 \n`),
    fc.constantFrom('None', 'np.int64(', "b'", '"a":', '<capsule object "', '0x', '\\u12', '1e+'),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );

  test('never throw, and are refused inside the text', () => {
    const property = fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const parsed = parseLiteral(text);
      if ('value' in parsed) return;
      expect(parsed.position).toBeGreaterThanOrEqual(0);
      expect(parsed.position).toBeLessThanOrEqual(text.length);
      expect(parsed.problem).toMatch(/^expected .+, got .+; .+$/s);
      expect(parsed.problem.length).toBeLessThan(250);
    });
    fc.assert(property, random(1000));
  });

  // Quadratic time would be minutes for these.
  const many = 2 ** 19;
  test.each<[string, string]>([
    ['open brackets', '['.repeat(many)],
    ['brackets of all kinds', '[{("'.repeat(many / 4)],
    ['closed brackets', `[${'[],'.repeat(many / 2)}]`],
    ['digits', '1'.repeat(many)],
    ['digits and underscores', '1_'.repeat(many)],
    ['signs', '+-'.repeat(many)],
    ['exponents', '1e+'.repeat(many)],
    ['an exponent', `1e+${'1'.repeat(many)}`],
    ['numbers that are as long as can be', `[${`${'7'.repeat(4300)},`.repeat(many / 4300)}]`],
    ['numbers that almost are', `[${`${'1_'.repeat(2000)},`.repeat(many / 4000)}]`],
    ['a long text', `"${'a'.repeat(many)}"`],
    ['a long text of escapes', `"${'\\n'.repeat(many)}"`],
    ['a text that nothing closes', `'${'\\\\'.repeat(many)}`],
    ['texts', `[${'"",'.repeat(many)}]`],
    ['objects that nothing closes', '<'.repeat(many)],
    ['objects', `[${'<dpctl.SyclQueue at 0x1>,'.repeat(many / 20)}]`],
    ['an object', `<dpctl.SyclQueue ${'a'.repeat(many)}>`],
    ['a capsule', `<capsule object "${'a'.repeat(many)}>`],
    ['spaces', `${' '.repeat(many)}]`],
    ['commas', `[${','.repeat(many)}]`],
    ['keys', `{${Array.from({ length: many / 16 }, (_, key) => `'${key}':1`).join(',')}}`],
    ['the same key', `{${"'a':1,".repeat(many / 4)}}`],
    ['words', 'np.int64'.repeat(many / 4)],
    ['prefixes', `${'rb'.repeat(many)}'`],
  ])('%s take linear time', (_name, text) => {
    expect(parseLiteral(text)).toBeDefined();
  });
});
