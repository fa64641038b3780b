import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clients } from '../clients.mjs';
import { linesOf, promised, tenLinesForNode } from '../readme.mjs';
import { newUser } from '../user.mjs';

const PACKAGES = [
  ...['core', 'host', 'cuda', 'cuda-simulator'].map((name) => `@array-interface/${name}`),
  'array-interface',
];
const libc = process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'gnu';
const here = `native-linux-${process.arch}-${libc}`;

/** The packages with binaries below a folder, wherever a client puts them. */
function platformPackages(folder) {
  const files = readdirSync(folder, { recursive: true });
  const manifests = files.filter((file) => /native-linux-\w+-\w+.*\/package\.json$/.test(file));
  return [...new Set(manifests.map((file) => /native-linux-\w+-[a-z]+/.exec(file)[0]))];
}

const rows = [];
afterAll(() => console.table(rows));

describe.each(clients)('$name', ({ name, add, command, program, ...client }) => {
  const user = newUser(client);
  const row = { client: name, seconds: 0, ran: '' };
  afterAll(() => {
    rows.push(row);
    user.remove();
  });

  /** Gives what a command of the user printed, and notes that it ran. */
  async function said(...words) {
    const printed = await user.said(words);
    row.ran += `${row.ran && ', '}${path.basename(words.at(-1), '.js')}`;
    return printed;
  }

  beforeAll(async () => {
    user.write('package.json', '{ "type": "module" }\n');
    for (const backend of ['host', 'cuda']) {
      user.write(`${backend}.js`, await tenLinesForNode(backend));
    }
    row.client += ` (${(await user.said([add[0], '--version'])).trim()})`;
    const start = performance.now();
    await user.said([...add, ...PACKAGES]);
    row.seconds = Number(((performance.now() - start) / 1000).toFixed(1));
  });

  test('installs the binaries of this platform and no others', () => {
    expect(platformPackages(user.project)).toEqual([here]);
  });

  test('runs the ten lines on host', async () => {
    expect(linesOf(await said(...program, 'host.js'))).toEqual(promised);
  });

  test('runs them on CUDA, by the simulator', async () => {
    const printed = await said(...command, 'cuda-simulator', 'node', 'cuda.js');
    expect(linesOf(printed)).toEqual(promised);
  });

  test('runs the doctor', async () => {
    expect(await said(...command, 'array-interface', 'doctor')).toContain('✓ host');
  });
});
