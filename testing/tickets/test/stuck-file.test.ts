import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { alter, forge } from './forgeries.js';
import { type Language, Party, type Ticket } from './party.js';

// A ticket that names a file whose file system is a process. Calls to it, such as `fstat`, end when
// the process wants. Whoever may mount one (FUSE) could stop the opener's event loop, even root's.
const PROGRAM = fileURLToPath(new URL('../programs/stuck_file.py', import.meta.url));
const NAMES = { host: 'array-interface memory', cuda: 'array-interface lease' } as const;
const LANGUAGES: readonly Language[] = ['node', 'python'];

function canMount(): boolean {
  if (process.geteuid?.() === 0 && existsSync('/dev/fuse')) return true;
  process.stderr.write(
    'not run: tickets of files that do not answer: they need root and /dev/fuse\n',
  );
  return false;
}

let folder = '';
let mounter: ChildProcessByStdio<Writable, Readable, null> | null = null;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stuck-file-'));
});
afterEach(async () => {
  mounter?.kill('SIGKILL');
  if (mounter !== null) await once(mounter, 'exit');
  rmdirSync(folder);
});

/** The path of an open file of this name that does not answer. */
async function stuckFile(name: string): Promise<string> {
  mounter = spawn('python3', ['-I', PROGRAM, `memfd:${name}`, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [number] = await once(mounter.stdout, 'data');
  return `/proc/${String(number).trim()}/fd/50`;
}

/** The digest of a host ticket depends on the file's content, and is checked later. */
function named(ticket: Ticket, lease: string): Ticket {
  return 'device' in ticket ? forge(ticket, { lease } as never) : alter(ticket, { lease });
}

describe.runIf(canMount()).each(['host', 'cuda'] as const)('a %s ticket', (kind) => {
  test.each(LANGUAGES)(
    'of a file that does not answer is refused at once by %s',
    async (language) => {
      await using sharer = new Party('node');
      await using opener = new Party(language);
      const ticket = await sharer.ask<Ticket>('share', { backend: kind, byteLength: 4 });
      const lease = await stuckFile(NAMES[kind]);
      const refusal = await opener.refusal('open', { ticket: named(ticket, lease) });
      expect(refusal).toMatchObject({ code: 'ERR_TICKET', path: 'ticket.lease' });
      expect(await opener.ask('open', { ticket })).toBe('00010203');
    },
  );
});
