import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../support/program.js';

// Node exports the functions of its OpenSSL and its zlib. Those that Python's modules call must be their own
// libraries', as the system's loader reports them.

const folder = mkdtempSync(join(tmpdir(), 'python-bindings-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A line of the loader: which function of which library is found in Node. */
const BOUND = /binding file \S*\/([^/\s]+) \[0\] to \S*\bnode \[0\]: normal symbol `(\w+)'/;
const OWN = /^(_ssl|_hashlib|zlib|libssl|libcrypto|libz)\./;
/** Another library of the process loads one first, as LLVM loads libz. */
const before = (library: string) => ({
  LD_PRELOAD: [process.env.LD_PRELOAD, library].filter(Boolean).join(' '),
});
const USE = `import hashlib, ssl, sys, zlib
packed = zlib.compressobj(9, zlib.DEFLATED, -15)
packed = packed.compress(b'a' * 1000) + packed.flush()
assert zlib.decompressobj(-15).decompress(packed) == b'a' * 1000
ssl.create_default_context()
`;

/** Runs Python's code. Returns the functions of OpenSSL's and zlib's modules that are Node's, by file. */
async function bindings(code: string, env: Readonly<Record<string, string>> = {}) {
  const output = mkdtempSync(join(folder, 'run-'));
  const program = `import { createHash } from 'node:crypto';
    import { python } from './running.mjs';
    python.exec(${JSON.stringify(code)});
    const digest = python.eval("hashlib.new('sha512_256', b'x').hexdigest()");
    console.log(digest === createHash('sha512-256').update('x').digest('hex'));
    console.log(python.import('ssl').get('OPENSSL_VERSION').split(' ')[0]);`;
  const loader = { LD_DEBUG: 'bindings', LD_DEBUG_OUTPUT: join(output, 'loader') };
  const ended = await runProgram(program, { env: { ...env, ...loader } });
  expect(ended).toEqual({ status: 0, stdout: 'true\nOpenSSL', stderr: '' });
  const text = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
  const lines = text.flatMap((one) => one.split('\n'));
  expect(lines.filter((line) => /binding file \S*_ssl\./.test(line)).length).toBeGreaterThan(100);
  const bound = lines.flatMap((line) => BOUND.exec(line)?.[1] ?? []);
  return bound.filter((name) => OWN.test(name));
}

test('no function of Python’s OpenSSL and zlib is Node’s, and both work', async () => {
  const later = "import ctypes\nctypes.CDLL('libz.so.1')\n"; // as many libraries do
  expect(await bindings(later + USE)).toEqual([]);
}, 120_000);

// Half of a library's calls would reach Node's, half its own, and end the process.
test.each(['libz.so.1', 'libcrypto.so.3'])(
  'what something else loaded before is not mixed with Node’s: %s',
  async (library) => {
    const bound = await bindings(USE, before(library));
    expect(bound.some((name) => name.startsWith('_ssl.'))).toBe(true);
    expect(bound.some((name) => name.startsWith('_hashlib.'))).toBe(true);
  },
  120_000,
);
