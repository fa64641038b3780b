import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';

const job = fileURLToPath(new URL('../bin/photograph.js', import.meta.url));
const astronaut = fileURLToPath(new URL('../../data/astronaut.png', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'photograph-'));

afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the job as `npm start` does. */
function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(process.execPath, [job, ...args], options, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code ?? 128), stdout, stderr });
    });
  });
}

/** RGB bytes of a picture. */
async function rgb(file: string) {
  const { data, info } = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The crop, upside down, made by the sharp library instead of our own arithmetic. */
async function croppedUpsideDown(file: string) {
  const { width, height } = await sharp(file).metadata();
  const [left, top] = [Math.floor(width / 8), Math.floor(height / 8)];
  const cropped = await sharp(file)
    .removeAlpha()
    .toColourspace('srgb')
    .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
    .png()
    .toBuffer();
  const flipped = path.join(folder, `expected-${path.basename(file)}.png`);
  await sharp(cropped).flip().png().toFile(flipped);
  return rgb(flipped);
}

/** A picture of noise, so that no two rows, columns or channels look alike. */
async function noise(width: number, height: number, channels: 1 | 3 | 4, name: string) {
  const bytes = Buffer.from(
    Array.from({ length: width * height * channels }, (_, i) => (i * 2654435761) >>> 24),
  );
  const file = path.join(folder, name);
  await sharp(bytes, { raw: { width, height, channels } }).toFile(file);
  return file;
}

async function expectPicture(photo: string, ...options: string[]) {
  const out = path.join(folder, `${path.basename(photo)}.out.png`);
  const { status, stdout, stderr } = await run([photo, '--out', out, ...options]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(await rgb(out)).toEqual(await croppedUpsideDown(photo));
  return stdout;
}

describe('photograph', () => {
  test('turns the middle of the default photograph upside down, and says what it did', async () => {
    const printed = await expectPicture(astronaut);
    expect(printed).toMatch(/cuda +SIMULATED|cuda +real/);
    for (const what of ['cuda -> cuda', 'cuda -> host', 'cuda -> sycl', 'sycl -> cuda -> host']) {
      expect(printed).toMatch(new RegExp(`agrees +${what}`));
    }
    expect(printed).not.toContain('DIFFERS');
    expect(printed).not.toContain('_array_interface__');
    expect(printed).not.toContain('memcpy');
    const out = path.join(folder, 'astronaut.png.out.png');
    expect(printed.trimEnd().split('\n').slice(-4)).toEqual([
      expect.stringMatching(new RegExp(`^ +before +${astronaut}$`)),
      expect.stringMatching(new RegExp(`^ +after +${out}$`)),
      '',
      expect.stringMatching(/^The middle of the photograph went .* SYCL USM and back/),
    ]);
  });

  test('shows every dict and the times if it is verbose', async () => {
    const printed = await expectPicture(astronaut, '--verbose');
    expect(printed).toContain('__cuda_array_interface__');
    expect(printed).toContain('__sycl_usm_array_interface__');
    expect(printed).toMatch(/stream 0x[0-9a-f]+ has the upload before what comes next/);
    expect(printed).toMatch(/photograph -> cuda( +\d+\.\d+){5}/);
  });

  test.each([
    [8, 8, 3, 'smallest.png'],
    [9, 13, 3, 'odd.png'],
    [17, 301, 3, 'tall.png'],
    [333, 10, 4, 'alpha.png'],
    [64, 65, 1, 'grey.png'],
  ] as const)(
    'takes a picture of %i x %i with %i channels',
    async (width, height, channels, name) => {
      await expectPicture(await noise(width, height, channels, name));
    },
  );

  test('writes into the current folder if no file is named', async () => {
    const { status, stdout } = await run([await noise(20, 20, 3, 'near.png')]);
    expect(status).toBe(0);
    const written = path.join(folder, 'near.upside-down.png');
    expect(stdout).toContain(written);
    expect(await rgb(written)).toMatchObject({ width: 16, height: 16 });
  });

  test('leaves SYCL out if told to, and says so', async () => {
    const { status, stdout } = await run([astronaut], { ARRAY_INTERFACE_SYCL: '0' });
    expect(status).toBe(0);
    expect(stdout).toContain('LEFT OUT');
    expect(stdout).toMatch(/agrees +host -> cuda -> host/);
  });

  test.each([
    ['a photograph that does not exist', () => ['missing.png'], /cannot read .*missing\.png/],
    ['a file that is not a picture', () => [job], /cannot read .*photograph\.js/],
    ['two photographs', () => ['a.png', 'b.png'], /expected one photograph, got 2/],
    ['an unknown option', () => ['--upside'], /--upside.*usage: npm start/],
    ['another format', () => ['--out', 'x.jpg'], /expected --out to name a \.png file/],
    ['a folder that does not exist', () => ['--out', 'no/where/x.png'], /cannot write .*x\.png/],
  ])('refuses %s in one line', async (_, args, message) => {
    const { status, stderr } = await run(args());
    expect(status).toBe(1);
    expect(stderr.trim()).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('refuses a picture smaller than 8 x 8 in one line', async () => {
    const { status, stderr } = await run([await noise(7, 30, 3, 'small.png')]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/at least 8 x 8 pixels, got 7 x 30/);
  });
});
