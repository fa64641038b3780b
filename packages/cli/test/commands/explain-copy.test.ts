import { describe, expect, it } from 'vitest';
import { run } from '../support/run-command.js';

async function explained(...args: string[]) {
  const { status, stdout, stderr } = await run(['explain-copy', ...args]);
  expect(stderr).toBe('');
  return { status, lines: stdout.trimEnd().split('\n') };
}

describe('explain-copy', () => {
  it('draws the plan of a transposing copy on several threads', async () => {
    const { status, lines } = await explained(
      '64,4096,2048',
      'C',
      '4,524288,256',
      '--threads',
      '2',
    );
    expect(status).toBe(0);
    const tile = /^ {2}way {6}(\d+) tiles of up to (\d+) units \((\d+) KiB\)$/.exec(lines[1] ?? '');
    const [, count, units, size] = (tile ?? []).map(Number);
    expect(Number(units) * 4).toBe(Number(size) * 1024);
    const columns = Number(units) / 64;
    expect(count).toBe(Math.ceil(2 ** 22 / columns));
    expect(lines.slice(2)).toEqual([
      '  unit     4 bytes',
      '  axis 0   64 long, steps of 33554432 in the destination, 4 in the source, whole in a tile; axis 0 of the shape',
      `  axis 1   4194304 long, steps of 4 in the destination, 256 in the source, ${columns} in a tile; axes 1, 2 of the shape`,
      '  order    along axis 1',
      `  read     turned: ${columns} columns of 64 units; packed`,
      '  between  nothing',
      `  written  64 rows of ${columns} units, past the caches`,
      '  pieces   2 of about 1024 MiB, each may have a thread; this is the first',
      '  speed    About twice as long as one memcpy: the innermost axis of the source is not that of the destination. Faster: a destination of byte strides 4,524288,256 (one memcpy).',
    ]);
    expect(lines[0]).toBe('<f4 from <f4  64 × 4096 × 2048  host');
  });

  it.each([
    [['1024,1024', 'C', 'C'], ['one memcpy of 4096 KiB']],
    [
      ['1024,1024', 'C', '[8192,4]'],
      ['1024 long runs', 'straight to its place', 'as it is read'],
    ],
    [['100,3', 'C', '4,400'], ['planes into pixels: 3 columns of 100 units']],
    [
      ['9,9', '[-36,4]', '0,4'],
      ['1 tile of up to 81 units (324 bytes)', 'one tile is all'],
    ],
    [['900', 'C', '12'], ['units 12 bytes apart']],
    [
      ['900', 'C', '[-2]', '--to', '>f8', '--from', '>f2'],
      ['backwards; packed', 'each 2 bytes reversed, then numbers converted, then each 8'],
    ],
    [
      ['9,8,3', 'C', '4,36,0', '--to', '>f4', '--from', '<f4'],
      ['each 4 bytes reversed, then each unit repeated 3 times'],
    ],
    [['0,3', 'C', 'C'], ['nothing, as there is no element']],
    [
      ['[]', '[]', '[]', '--to', 'uint8'],
      ['one element', 'one memcpy of 1 byte'],
    ],
    [['9,2', 'C', '16,4'], ['8 bytes: elements along axis 1 of the shape']],
  ])('%j', async (args, texts) => {
    const { status, lines } = await explained(...args);
    expect(status).toBe(0);
    for (const text of texts) expect(lines.join('\n')).toContain(text);
  });

  it.each([
    [['1000,1000', 'C', 'C'], 'Fast: it is one memcpy.'],
    [['1000,1000', 'F', 'F'], 'Fast: it is one memcpy.'],
    [
      ['1000,1000', 'C', 'F'],
      'About twice as long as one memcpy: the innermost axis of the source is not that of the destination. Faster: a destination of byte strides 4,4000 (one memcpy); --threads 2 (two pieces).',
    ],
    [
      ['1000,1000', 'C', '[4096,4]'],
      'Fast, about as long as one memcpy: long rows are copied in order.',
    ],
    [
      ['1000,1000', 'C', '-4000,4'],
      'Fast, about as long as one memcpy: long rows are copied in order.',
    ],
    [
      ['1000000', 'C', '12'],
      'About twice as long as one memcpy: only 4 of every 12 bytes read from the source are used. Faster: a source without gaps (one memcpy); --threads 2 (two pieces).',
    ],
    [
      ['1000000', '256', 'C'],
      'Slow, at least four times as long as one memcpy: only 4 of every 64 bytes written to the destination are used. Faster: a destination of byte strides 4 (one memcpy); --threads 2 (two pieces).',
    ],
    [
      ['1000,1000', 'C', '0,4'],
      'Fast, about as long as one memcpy: long rows are copied in order.',
    ],
    [
      ['1000,1000', 'C', '4,0'],
      'Fast, about as long as one memcpy: long rows are copied in order.',
    ],
    [
      ['1000000', 'C', 'C', '--from', '>f4'],
      'Fast, about as long as one memcpy: bytes are reversed. Faster: --threads 2 (two pieces).',
    ],
    [
      ['1000000', 'C', 'C', '--from', 'u1'],
      'Fast, about as long as one memcpy: numbers are converted. Faster: a source of <f4 (one memcpy); --threads 2 (two pieces).',
    ],
    [
      ['3,300,400', 'C', '4,4800,12'],
      'Fast, about as long as one memcpy: pixels and planes are exchanged. Faster: --threads 2 (two pieces).',
    ],
    [['9,9', 'C', 'F'], 'Too small to matter: the call itself takes longer than moving the bytes.'],
    [['0,9', 'C', 'F'], 'Nothing is moved.'],
  ])('%j ends with whether it is fast, why, and what would help', async (args, sentence) => {
    const { status, lines } = await explained(...args);
    expect(status).toBe(0);
    expect(lines.at(-1)).toBe(`  speed    ${sentence}`);
  });

  it.each([
    ['[480,640]', '[2560,4]', '[-2560,4]'],
    ['480, 640', 'C', '-2560,4'],
    ['(480, 640)', 'C', '( -2560, 4 )'],
    ['480,640', 'C', '[ -2560,4 ]'],
  ])(
    'takes lists with brackets or none, also those that begin with a minus: %s %s %s',
    async (...args) => {
      const wanted = await explained('480,640', '2560,4', '[-2560,4]');
      expect(await explained(...args)).toEqual(wanted);
      expect(await explained('--threads', '1', ...args)).toEqual(wanted);
      expect(await explained('--', ...args)).toEqual(wanted);
    },
  );

  it.each([
    [
      ['(5,)', 'C', '(-4,)'],
      ['5', 'C', '[-4]'],
    ],
    [
      ['2,3,4', 'F', 'C'],
      ['2,3,4', '4,8,24', '48,16,4'],
    ],
    [
      ['2,0,4', 'F', 'C'],
      ['2,0,4', '4,8,8', '16,16,4'],
    ],
    [
      ['2,3', 'F', 'F', '--to', 'f8', '--from', 'u1'],
      ['2,3', '8,16', '1,2', '--to', 'f8', '--from', 'u1'],
    ],
  ])('%j is the same as %j', async (args, same) => {
    expect(await explained(...args)).toEqual(await explained(...same));
  });

  it('prints JSON', async () => {
    const words = ['3,500,500', 'C', '1,1500,3', '--from', 'uint8', '--json'];
    const { status, lines } = await explained(...words);
    expect(status).toBe(0);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      way: 'tiles',
      unit: 4,
      sourceUnit: 1,
      tiles: {
        axes: [
          { length: 3, destinationStride: 1000000, sourceStride: 1, side: 3, of: [0] },
          { length: 250000, destinationStride: 4, sourceStride: 3, of: [1, 2] },
        ],
        order: [1],
        reading: { loop: 'from pixels', length: 3 },
      },
    });
  });

  it.each([
    [
      ['2,x', 'C', 'C'],
      '[ERR_TYPE] shape: expected integers separated by commas, got "2,x"; write lengths',
    ],
    [['2,1e3', 'C', 'C'], '[ERR_TYPE] shape: '],
    [
      ['2,3', 'A', 'C'],
      '[ERR_TYPE] destination: expected integers separated by commas, got "A"; write byte strides such as 2560,4 or -2560,4, or C or F for those of that order\n',
    ],
    [
      ['2,3', '-4,x', 'C'],
      '[ERR_TYPE] destination: expected integers separated by commas, got "-4,x"; write byte',
    ],
    [['2,3', '[4,2)', 'C'], '[ERR_TYPE] destination: '],
    [['2,-3', 'F', 'F'], '[ERR_NEGATIVE_DIMENSION] shape[1]: '],
    [['-2,3', 'C', 'C'], '[ERR_NEGATIVE_DIMENSION] shape[0]: '],
    [['2', 'C', 'C', '--threads', '-4'], '[ERR_ARGUMENT] threads: '],
    [
      ['2', 'C', 'C', '--threads', '1,2'],
      '[ERR_ARGUMENT] threads: expected one number of threads, ',
    ],
    [['2', 'C', 'C', '--threads', ''], '[ERR_ARGUMENT] threads: expected one number of threads, '],
    [
      ['2,3', 'C', '4'],
      '[ERR_RANK_MISMATCH] source: expected a byte stride for each of 2 axes, got 1; write',
    ],
    [['2,-3', 'C', 'C'], '[ERR_NEGATIVE_DIMENSION] shape[1]: '],
    [['2,3', 'C', `4,${'9'.repeat(20)}`], '[ERR_TYPE] source[1]: '],
    [['2,3', 'C', '4,9007199254740991'], '[ERR_OVERFLOW] source: '],
    [['2,3', '0,4', 'C'], '[ERR_SELF_OVERLAP] destination: '],
    [['2', 'C', 'C', '--to', 'foo'], '[ERR_TYPESTR] to: '],
    [['2', 'C', 'C', '--from', '|V7'], '[ERR_CASTING] source: '],
    [
      ['2', 'C', 'C', '--threads', '1025'],
      '[ERR_ARGUMENT] threads: expected a whole number of threads from 1 to 1024, got 1025; ',
    ],
    [
      ['2', 'C', 'C', '--threads', 'all'],
      '[ERR_TYPE] threads: expected integers separated by commas, got "all"; ',
    ],
  ])('%j is refused with a code and what to do: status 1', async (args, text) => {
    const { status, stdout, stderr } = await run(['explain-copy', ...args]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.startsWith(text), stderr).toBe(true);
    const json = await explained(...args, '--json');
    expect(json.status).toBe(1);
    const [, code, path] = /^\[(\w+)\] ([^:]+): /.exec(text) ?? [];
    expect(JSON.parse(json.lines.join(''))).toMatchObject({ ok: false, error: { code, path } });
  });
});
