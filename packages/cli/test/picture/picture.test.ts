import { describe, expect, it } from 'vitest';
import { run } from '../support/run-command.js';

const cuda = (dict: object) => ({
  __cuda_array_interface__: { typestr: '<f4', data: [4096, false], version: 3, ...dict },
});

/** What `inspect` prints of one value, without the lines of `at`. */
async function pictureOf(value: object): Promise<string[]> {
  const { stdout, stderr } = await run(['inspect'], JSON.stringify(value));
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '' && !line.startsWith('  at '));
}

describe('the picture', () => {
  it('of C order', async () => {
    expect(await pictureOf(cuda({ shape: [2, 3] }))).toEqual([
      '<f4  2 × 3  cuda version 3',
      '  bytes    24 in 6 elements',
      '  order    C contiguous',
      '  axis 0   2 long, → 12 bytes (3 elements), no gap',
      '  axis 1   3 long, → 4 bytes (1 element), no gap',
      '  offsets   0   4   8',
      '           12  16  20',
      '  memory   0███████████████████████',
      '           0                     24',
      '           █ elements, 0 the first element, a sign is a byte',
    ]);
  });

  it('of Fortran order', async () => {
    const lines = await pictureOf(cuda({ shape: [2, 3], strides: [4, 8], data: [64, true] }));
    expect(lines.slice(2, 7)).toEqual([
      '  order    Fortran contiguous, read-only',
      '  axis 0   2 long, → 4 bytes (1 element), no gap',
      '  axis 1   3 long, → 8 bytes (2 elements), no gap',
      '  offsets   0   8  16',
      '            4  12  20',
    ]);
  });

  it('of padded rows', async () => {
    const lines = await pictureOf(cuda({ shape: [3, 4], typestr: '|u1', strides: [6, 1] }));
    expect(lines.slice(1)).toEqual([
      '  bytes    12 in 12 elements, over 16',
      '  order    strided',
      '  axis 0   3 long, → 6 bytes (6 elements), gaps of 2',
      '  axis 1   4 long, → 1 byte (1 element), no gap',
      '  offsets   0   1   2   3',
      '            6   7   8   9',
      '           12  13  14  15',
      '  memory   0███··████··████',
      '           0             16',
      '           · gap, █ elements, 0 the first element, a sign is a byte',
    ]);
  });

  it('of reversed axes', async () => {
    const lines = await pictureOf(cuda({ shape: [2, 3], strides: [-16, 4], stream: 2 }));
    expect(lines.slice(1)).toEqual([
      '  bytes    24 in 6 elements, between -16 and 12 from there',
      '  order    strided, partly backwards, work may be pending on the per-thread default stream',
      '  axis 0   2 long, ← -16 bytes (-4 elements), gaps of 4',
      '  axis 1   3 long, → 4 bytes (1 element), no gap',
      '  offsets    0    4    8',
      '           -16  -12   -8',
      '  memory   ████████████····0███████████',
      '           -16                       12',
      '           · gap, █ elements, 0 the first element, a sign is a byte',
    ]);
  });

  it('of a broadcast', async () => {
    const lines = await pictureOf(cuda({ shape: [4, 3], strides: [0, 4] }));
    expect(lines.slice(2, 5)).toEqual([
      '  order    broadcast',
      '  axis 0   4 long, • the same again (0 bytes)',
      '  axis 1   3 long, → 4 bytes (1 element), no gap',
    ]);
    expect(lines.at(-3)).toBe('  memory   0▓▓▓▓▓▓▓▓▓▓▓');
    expect(lines.at(-1)).toContain('▓ several elements at one place');
  });

  it('of axes that do not nest', async () => {
    const window = await pictureOf(cuda({ shape: [3, 4], strides: [4, 4] }));
    expect(window[3]).toBe('  axis 0   3 long, → 4 bytes (1 element), overlapping');
    const mixed = await pictureOf(cuda({ shape: [2, 4], strides: [6, 12] }));
    expect(mixed[3]).toBe('  axis 0   2 long, → 6 bytes (no whole elements), gaps of 2');
    const fives = await pictureOf(cuda({ shape: [2, 4], typestr: '|u1', strides: [5, 3] }));
    expect(fives[3]).toBe('  axis 0   2 long, → 5 bytes (5 elements), interleaved');
  });

  it('of a record', async () => {
    const descr = [
      ['x', '<f4'],
      ['flag', '|u1'],
      ['', '|V3'],
      [['Time', 't'], '<i8'],
      [
        'p',
        [
          ['a', '|u1'],
          ['b', '<i2', [2]],
        ],
      ],
    ];
    const dict = { shape: [3], typestr: '|V21', data: [4096, false], version: 3, descr };
    const lines = await pictureOf({ __array_interface__: dict });
    expect(lines.slice(4, 9)).toEqual([
      '  field a  "x" <f4 at byte 0, 4 long',
      '  field b  "flag" |u1 at byte 4, 1 long',
      '  field c  "t" ("Time") <i8 at byte 8, 8 long',
      '  field d  "p" |V5 of "a", "b" at byte 16, 5 long',
      '  element  aaaab···ccccccccddddd',
    ]);
  });

  it('of masks', async () => {
    const mask = (typestr: string, shape: number[]) => ({
      __cuda_array_interface__: { shape, typestr, data: [64, true], version: 3 },
    });
    const bytes = await pictureOf(cuda({ shape: [2, 3], mask: mask('|b1', [3]) }));
    expect(bytes[5]).toBe('  mask     |b1 [3] at 0x40, C and Fortran contiguous');
    const bits = await pictureOf(cuda({ shape: [2, 3], mask: mask('|t1', [2, 3]) }));
    expect(bits[5]).toBe('  mask     |t1 [2, 3] at 0x40, a bit each');
  });

  it('without elements, and of one', async () => {
    expect(await pictureOf(cuda({ shape: [2, 0], data: [null, false] }))).toEqual([
      '<f4  2 × 0  cuda version 3',
      '  bytes    none, as there is no element',
      '  order    C and Fortran contiguous',
      '  axis 0   2 long',
      '  axis 1   0 long',
    ]);
    expect((await pictureOf(cuda({ shape: [] }))).slice(0, 4)).toEqual([
      '<f4  one element  cuda version 3',
      '  bytes    4 in 1 element',
      '  order    C and Fortran contiguous',
      '  memory   0███',
    ]);
  });

  it('of an image, from afar and closer', async () => {
    const image = { shape: [1080, 1920, 3], typestr: '|u1', strides: [7680, 4, 1] };
    const lines = await pictureOf(cuda(image));
    expect(lines.slice(6, 12)).toEqual([
      '  offsets     0     1     2   at [0, :, :]',
      '              4     5     6',
      '              8     9    10',
      '             12    13    14',
      '              ⋮     ⋮     ⋮',
      '           7676  7677  7678',
    ]);
    expect(lines[12]).toBe(`  memory   0${'▒'.repeat(63)}`);
    expect(lines[14]).toBe(`  closer   0██·${'███·'.repeat(15)}`);
    const dense = await pictureOf(
      cuda({ shape: [9e12], typestr: '|u1', strides: [-1], data: [2 ** 50, false] }),
    );
    expect(dense).toContain(`  memory   ${'█'.repeat(63)}0`);
  });

  it('of a range that the characters cannot divide evenly', async () => {
    const lines = await pictureOf(cuda({ shape: [3, 5], strides: [32, 4] }));
    const memory = lines.find((line) => line.startsWith('  memory')) as string;
    expect(memory).toBe(
      '  memory   0██████████████·········███████████████·········▒███████████████',
    );
    expect(lines.at(-1)).toContain('▒ elements and gaps');
  });

  it('says what it cannot show', async () => {
    const strides = Array.from(
      { length: 30 },
      (_, i) => 2 ** 40 + ((i * 7_368_787) % 1_000_003) ** 2,
    );
    const lines = await pictureOf(cuda({ shape: strides.map(() => 2), typestr: '|u1', strides }));
    expect(lines[4]).toContain('interleaved, maybe overlapping');
  });

  it('of the lowest address', async () => {
    const lowest = { shape: [200], typestr: '|u1', strides: [-1], data: [200, false] };
    const lines = await pictureOf(cuda(lowest));
    expect(lines.some((line) => /^ {2}memory {3}█{63}0$/.test(line))).toBe(true);
  });
});
