import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blurByDefinition } from './reference.js';

const app = fileURLToPath(new URL('../bin/blur.js', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'blur-'));
const photo = path.join(folder, 'photo.png');
const [height, width, channels] = [20, 24, 3] as const;
const bytes = Uint8Array.from({ length: height * width * channels }, (_, i) => (i * 91) % 256);

beforeAll(async () => {
  await sharp(bytes, { raw: { width, height, channels } }).png().toFile(photo);
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...process.env, ...env } };
    execFile(process.execPath, [app, ...args], options, (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : Number(error.code ?? 128), stdout, stderr });
    });
  });
}

async function expectBlurred(file: string) {
  const { data } = await sharp(path.join(folder, file)).raw().toBuffer({ resolveWithObject: true });
  const pixels = Float32Array.from(bytes);
  const expected = blurByDefinition({ height, width, channels, pixels }, 2);
  expect([...data]).toEqual([...expected].map((value) => Math.floor(value + 0.5)));
}

describe('the application', () => {
  test.each(['host', 'cuda', 'sycl'])('blurs a picture on %s', async (backend) => {
    const out = `${backend}.png`;
    expect(await run(['photo.png', out, '--sigma', '2', '--backend', backend])).toEqual({
      status: 0,
      stdout: `${out}: 24 x 20, blurred on ${backend}\n`,
      stderr: '',
    });
    await expectBlurred(out);
  });

  test.each([
    ['cuda', {}],
    ['sycl', { ARRAY_INTERFACE_LIBCUDA: '/nowhere' }],
    ['host', { ARRAY_INTERFACE_LIBCUDA: '/nowhere', ARRAY_INTERFACE_DPCTL_LIBRARY: '/nowhere' }],
  ])('picks %s if it is the first that is available', async (backend, env) => {
    const { stdout } = await run(['photo.png', 'picked.png', '--sigma', '2'], env);
    expect(stdout).toContain(`blurred on ${backend}\n`);
    await expectBlurred('picked.png');
  });

  test('says why a requested backend is not available', async () => {
    const env = { ARRAY_INTERFACE_LIBCUDA: '/nowhere' };
    const { status, stderr } = await run(['photo.png', 'out.png', '--backend', 'cuda'], env);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^cuda: no CUDA driver library .*\nexpected an available backend, got none of cuda\n$/s,
    );
  });

  test('prints its usage', async () => {
    const { status, stderr } = await run(['photo.png']);
    expect(status).toBe(2);
    expect(stderr).toContain('usage: node bin/blur.js PHOTO OUT.png');
  });
});
