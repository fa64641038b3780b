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
    const [rows, columns] = [32, Number(units) / 32];
    expect(count).toBe((64 / rows) * Math.ceil(2 ** 22 / columns));
    expect(lines.slice(2)).toEqual([
      '  unit     4 bytes',
      '  axis 0   64 long, steps of 33554432 in the destination, 4 in the source, 32 in a tile; axis 0 of the shape',
      `  axis 1   4194304 long, steps of 4 in the destination, 256 in the source, ${columns} in a tile; axes 1, 2 of the shape`,
      '  order    along axis 0, then axis 1',
      `  read     turned: ${columns} columns of 32 units; packed`,
      '  between  nothing',
      `  written  32 rows of ${columns} units, past the caches`,
      '  pieces   2 of about 1024 MiB, each may have a thread; this is the first',
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
      ['2,3', 'F', 'C'],
      '[ERR_TYPE] destination: expected integers separated by commas, got "F"; write byte',
    ],
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
