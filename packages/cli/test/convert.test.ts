import { beforeAll, describe, expect, it } from 'vitest';
import { jsonLines, run } from './run-command.js';
import { readVectors, type Vector } from './vectors.js';

const ATTRIBUTES = {
  cuda: '__cuda_array_interface__',
  sycl: '__sycl_usm_array_interface__',
  host: '__array_interface__',
} as const;
const cuda = (more = '') =>
  `{"__cuda_array_interface__":{"shape":[2,3],"typestr":"<f4","data":[4096,false],"version":3${more}}}`;
const sycl = (syclobj: string) =>
  `{"__sycl_usm_array_interface__":{"shape":[3],"typestr":"<f4","data":[144115188075855880,true],` +
  `"strides":[-1],"offset":2,"version":1,"syclobj":${syclobj}}}`;

describe.each([
  ['cuda', 'sycl', 30],
  ['sycl', 'cuda', 12],
] as const)('convert %s to %s', (from, to, total) => {
  const vectors = readVectors('conversion.json').filter(
    (one) => one.from === from && one.to === to,
  );
  let written: string[];
  let results: { ok: boolean; error?: { code: string } }[];
  beforeAll(async () => {
    const input = vectors.map(({ text }) => `{"${ATTRIBUTES[from]}":${text}}\n`).join('');
    const options = to === 'sycl' ? ['--syclobj', 'cpu'] : [];
    const { stdout } = await run(['convert', '--to', to, ...options], input);
    written = stdout.split('\n').filter(Boolean);
    const again = await run(['inspect', '--json'], stdout);
    results = jsonLines(again.stdout) as typeof results;
  });

  it(`gives ${total} lines`, () => {
    expect([vectors.length, written.length]).toEqual([total, total]);
  });

  it.each(vectors.map((vector, index) => [vector.id, vector, index] as const))(
    '%s',
    (_id, vector, index) => check(vector, written[index] as string, results[index] as object),
  );

  function check({ expect: wanted }: Vector, line: string, read: object): void {
    const { code, path, strides, ...rest } = wanted;
    if (!wanted.ok) {
      const error = path === undefined ? { code } : { code, path };
      expect(JSON.parse(line)).toMatchObject({ ok: false, error });
      return;
    }
    expect(read).toMatchObject({ ...rest, protocol: to });
    const found = (read as Record<string, number[]>)[
      to === 'cuda' ? 'byteStrides' : 'elementStrides'
    ];
    for (const [axis, stride] of (strides as (number | null)[]).entries()) {
      if (stride !== null) expect(found?.[axis]).toBe(stride);
    }
  }
});

describe('convert', () => {
  const convert = async (args: string[], input: string) => {
    const { status, stdout } = await run(['convert', ...args], input);
    return { status, line: stdout };
  };

  it('writes integers in full', async () => {
    expect(await convert(['--to', 'cuda'], sycl('"cpu"'))).toEqual({
      status: 0,
      line:
        '{"__cuda_array_interface__":{"shape":[3],"typestr":"<f4","data":[144115188075855888,true],' +
        '"strides":[-4],"version":3,"stream":null}}\n',
    });
  });

  it('gives a queue, a context or a capsule back as it was', async () => {
    const objects = [
      '{"$queue":true}',
      '{"$context":true}',
      '{"$capsule":"SyclQueueRef"}',
      '"cpu"',
    ];
    for (const object of objects) {
      expect(await convert(['--to', 'sycl'], sycl(object))).toEqual({
        status: 0,
        line: `${sycl(object)}\n`,
      });
    }
    const other = await convert(['--to', 'sycl', '--syclobj', 'gpu:1'], sycl('{"$queue":true}'));
    expect(other.line).toContain('"syclobj":"gpu:1"');
  });

  it.each([
    [['--to', 'sycl'], cuda(), 'ERR_SYCLOBJ'],
    [['--to', 'sycl', '--syclobj', 'GPU'], cuda(), 'ERR_SYCLOBJ'],
    [['--to', 'host'], cuda(',"stream":7'), 'ERR_STREAM'],
    [['--to', 'cuda', '--cuda-version', '2'], cuda(',"stream":7'), 'ERR_STREAM'],
    [['--to', 'cuda'], 'nonsense', 'ERR_TYPE'],
  ])('%j refuses %.90s', async (args, input, code) => {
    const { status, line } = await convert(args, input);
    expect(status).toBe(1);
    expect(JSON.parse(line)).toMatchObject({ ok: false, error: { code } });
  });

  it('writes older versions and the NumPy interface', async () => {
    const old = await convert(['--to', 'cuda', '--cuda-version', '0'], cuda());
    expect(JSON.parse(old.line)).toEqual({
      [ATTRIBUTES.cuda]: {
        ...{ shape: [2, 3], typestr: '<f4', data: [4096, false], strides: null, version: 0 },
      },
    });
    const mask = cuda().replace('<f4', '|b1');
    const host = await convert(['--to', 'host'], cuda(`,"mask":${mask}`));
    expect(JSON.parse(host.line)).toMatchObject({
      [ATTRIBUTES.host]: { version: 3, mask: { [ATTRIBUTES.host]: { typestr: '|b1' } } },
    });
  });
});
