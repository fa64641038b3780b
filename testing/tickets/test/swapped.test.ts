import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

// A process repeatedly redirects its ticket's path while the ticket is opened: to a file
// on a disk, which its opener may read and it may not.
const NAME = 'array-interface lease';
const SECRET = 'nobody may read this';
const SWAPPER = `
import os, sys
memory, secret = os.memfd_create("${NAME}"), os.open(sys.argv[1], os.O_PATH)
os.write(memory, b"what a sharer wrote")
os.dup2(memory, 50)
print(os.getpid(), flush=True)
while os.getppid() == int(sys.argv[2]):
    os.dup2(secret, 50)
    os.dup2(memory, 50)
`;
const packages = fileURLToPath(new URL('../../../packages', import.meta.url));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'swapped-'));
  writeFileSync(path.join(folder, 'secret'), SECRET);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The outcomes of opening for a second and a half, and how often each occurred. */
async function openedBy(command: string, args: readonly string[]): Promise<Record<string, number>> {
  const secret = path.join(folder, 'secret');
  const swapper = spawn('python3', ['-I', '-c', SWAPPER, secret, String(process.pid)]);
  try {
    const [number] = await once(swapper.stdout, 'data');
    const opener = spawn(command, [...args, `/proc/${String(number).trim()}/fd/50`]);
    let said = '';
    opener.stdout.on('data', (part) => {
      said += part;
    });
    await once(opener, 'close');
    return JSON.parse(said);
  } finally {
    swapper.kill('SIGKILL');
  }
}

test('a path whose target changes meanwhile opens nothing else, in Node', async () => {
  const addon = createRequire(import.meta.url).resolve(`${packages}/cuda/build/Release/cuda.node`);
  const program = `
    const addon = require(${JSON.stringify(addon)});
    addon.initialize(class extends Error {});
    const found = {};
    for (const end = Date.now() + 1500; Date.now() < end; ) {
      const { state, text, leaseLock } = addon.openLease(process.argv[1], process.geteuid());
      const key = state + ' ' + text.slice(0, 20);
      found[key] = (found[key] ?? 0) + 1;
      addon.leaveLease(leaseLock);
    }
    console.log(JSON.stringify(found));`;
  const found = await openedBy(process.execPath, ['--eval', program]);
  const total = Object.values(found).reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(1000);
  expect(Object.keys(found).filter((text) => text.includes(SECRET))).toEqual([]);
});

test('a path whose target changes meanwhile opens nothing else, in Python', async () => {
  const sources = fileURLToPath(new URL('../../../pip/src', import.meta.url));
  const program = `
import collections, json, os, sys, time
sys.path.insert(0, ${JSON.stringify(sources)})
from array_interface._ticket_file import open_file
found, end = collections.Counter(), time.monotonic() + 1.5
while time.monotonic() < end:
    try:
        file = open_file(sys.argv[1], "${NAME}", "a lease", None)
    except Exception as error:
        found[type(error).__name__] += 1
        continue
    found[os.pread(file, 20, 0).decode()] += 1
    os.close(file)
print(json.dumps(found))`;
  const found = await openedBy('python3', ['-I', '-c', program]);
  expect(Object.keys(found).sort()).toEqual(['TicketError', 'what a sharer wrote']);
});
