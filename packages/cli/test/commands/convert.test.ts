import { beforeAll, describe, expect, it } from 'vitest';
import { jsonLines, run } from '../support/run-command.js';
import { readVectors, type Vector } from '../support/vectors.js';

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

/** What `inspect` says of what was written, or of a refusal its code and path. */
type Outcome = object;

/** Refusals on standard error, by index of the value; each stands on the line of its value. */
function refusalsOf(stderr: string): Map<number, Outcome> {
  const heads = stderr.matchAll(/^standard input:(\d+): index (\d+): \[(ERR_\w+)\] (?:(\S+): )?/gm);
  return new Map(
    [...heads].map(([, line, index, code, path = null]) => {
      expect(Number(line)).toBe(Number(index) + 1);
      return [Number(index), { code, path }];
    }),
  );
}

describe.each([
  ['cuda', 'sycl', 30],
  ['sycl', 'cuda', 12],
] as const)('convert %s to %s', (from, to, total) => {
  const vectors = readVectors('conversion.json').filter(
    (one) => one.from === from && one.to === to,
  );
  let outcomes: Outcome[];
  beforeAll(async () => {
    const input = vectors.map(({ text }) => `{"${ATTRIBUTES[from]}":${text}}\n`).join('');
    const options = to === 'sycl' ? ['--syclobj', 'cpu'] : [];
    const { status, stdout, stderr } = await run(['convert', '--to', to, ...options], input);
    const again = await run(['inspect', '--json'], stdout);
    const fine = vectors.every((vector) => vector.expect.ok);
    expect([status, again.status]).toEqual([fine ? 0 : 1, 0]);
    const read = jsonLines(again.stdout) as object[];
    const refusals = refusalsOf(stderr);
    outcomes = vectors.map((_, index) => refusals.get(index) ?? (read.shift() as object));
    expect(read).toEqual([]);
  });

  it(`reads or refuses ${total} values`, () => {
    expect([vectors.length, outcomes.filter(Boolean).length]).toEqual([total, total]);
  });

  it.each(vectors.map((vector, index) => [vector.id, vector, index] as const))(
    '%s',
    (_id, vector, index) => check(vector, outcomes[index] as Outcome),
  );

  function check({ expect: wanted }: Vector, read: Outcome): void {
    const { code, path, strides, ...rest } = wanted;
    if (!wanted.ok) {
      expect(read).toMatchObject(path === undefined ? { code } : { code, path });
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

  it('leaves a queue, a context or a capsule unchanged', async () => {
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
    const { status, stdout, stderr } = await run(['convert', ...args], input);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    const [, found] = /^standard input:1(?::1)?: index 0: \[(\w+)\] /.exec(stderr) ?? [];
    expect(found).toBe(code);
  });

  it('names the option that a dict without a queue needs', async () => {
    const { stderr } = await run(['convert', '--to', 'sycl'], cuda());
    expect(stderr).toContain('add a filter selector, such as --syclobj opencl:cpu:0\n');
  });

  it.each([
    [['--to', 'sycl', '--syclobj', 'gpu']],
    [['--to', 'host']],
    [['--to', 'cuda', '--cuda-version', '2']],
    [['--to', 'cuda']],
  ])('%j: the refusal names --settled, which says that a stream was waited for', async (args) => {
    const cupy = cuda(',"stream":1');
    const refused = await run(['convert', ...args], cupy);
    const takesStreams = args.length === 2 && args[1] === 'cuda';
    if (!takesStreams)
      expect(refused.stderr).toMatch(/; wait for the stream, then pass --settled\n/);
    const settled = await convert([...args, '--settled'], cupy);
    expect(settled).toEqual(await convert(args, cuda()));
    expect(settled.status).toBe(0);
  });

  it('--settled waives no mask', async () => {
    const masked = cuda(`,"stream":1,"mask":${cuda()}`);
    const args = ['convert', '--to', 'sycl', '--syclobj', 'gpu', '--settled'];
    const { status, stderr } = await run(args, masked);
    expect(status).toBe(1);
    expect(stderr).toContain('[ERR_MASK] mask');
  });

  it('writes only what can be written, for the next command of the pipe', async () => {
    const { status, stdout } = await run(
      ['convert', '--to', 'host'],
      `${cuda()}\n${cuda(',"stream":7')}\n${cuda()}`,
    );
    expect([status, stdout.split('\n').length]).toEqual([1, 3]);
    expect((await run(['inspect', '--json'], stdout)).status).toBe(0);
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
