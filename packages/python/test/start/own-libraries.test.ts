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
const OWN = /^(_ssl|_hashlib|libssl|libcrypto)\./;

test('no function of Python’s OpenSSL is Node’s, and both work', async () => {
  const program = `import { createHash } from 'node:crypto';
    import { python } from './running.mjs';
    python.exec("import hashlib, ssl\\nssl.create_default_context()");
    const digest = python.eval("hashlib.new('sha512_256', b'x').hexdigest()");
    console.log(digest === createHash('sha512-256').update('x').digest('hex'));
    console.log(python.import('ssl').get('OPENSSL_VERSION').split(' ')[0]);`;
  const env = { LD_DEBUG: 'bindings', LD_DEBUG_OUTPUT: join(folder, 'loader') };
  const ended = await runProgram(program, { env });
  expect(ended).toEqual({ status: 0, stdout: 'true\nOpenSSL', stderr: '' });
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n'),
  );
  const bound = lines.flatMap(
    (line) => (BOUND.exec(line)?.slice(1) as [string, string] | undefined) ?? [],
  );
  expect(lines.filter((line) => /binding file \S*_ssl\./.test(line)).length).toBeGreaterThan(100);
  expect(bound.filter((name) => OWN.test(name))).toEqual([]);
}, 120_000);
