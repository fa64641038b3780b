// One of several processes that share arrays. test/party.ts sends it requests, a line of JSON each.
import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';

const backends = { host, cuda };
const kept = [];
const opened = [];
/** More elements than this are opened and not read. */
const MOST = 4096;

const answers = {
  /** A ticket of new bytes 0, 1, 2, … */
  async share({ backend, byteLength }) {
    const bytes = Uint8Array.from({ length: byteLength }, (_, i) => i);
    const options = backend === 'host' ? { shareable: true } : {};
    const array = await backends[backend].array(bytes, options);
    const ticket = backends[backend].share(array);
    kept.push(array, ticket);
    const { thread: _, ...fields } = ticket;
    return fields;
  },
  /** The bytes of a ticket's elements in C order; null if there are too many. */
  async open({ ticket, user }) {
    const backend = ticket.kind === 'array-interface/cuda' ? cuda : host;
    const array = backend.openShared(ticket, user === undefined ? {} : { user });
    try {
      if (array.size > MOST) return null;
      const dense = await backend.array(array);
      const flat = await backend.toTypedArray(dense.reshape([array.size]).view('uint8'));
      dense[Symbol.dispose]();
      return Buffer.from(flat.buffer, flat.byteOffset, flat.byteLength).toString('hex');
    } finally {
      array[Symbol.dispose]();
    }
  },
  /** Opens a ticket and keeps it open, until letGo. */
  keep({ ticket }) {
    opened.push((ticket.kind === 'array-interface/cuda' ? cuda : host).openShared(ticket));
  },
  letGo() {
    for (const array of opened.splice(0)) array[Symbol.dispose]();
  },
  /** Whether this process has a file open, given its path. */
  holds({ path }) {
    const { ino, dev } = statSync(path);
    const isIt = (file) => {
      const found = statSync(file, { throwIfNoEntry: false });
      return found?.ino === ino && found.dev === dev;
    };
    return readdirSync('/proc/self/fd').some((number) => isIt(`/proc/self/fd/${number}`));
  },
  /** The number of a thread other than the first. */
  thread() {
    return Number(readdirSync('/proc/self/task').find((number) => Number(number) !== process.pid));
  },
  /** Adds text to a file of its own, named by the path in a ticket. */
  append({ path, text }) {
    const file = openSync(path, 'a');
    writeSync(file, text);
    closeSync(file);
  },
  /** Changes only its effective user and group. */
  become({ user }) {
    process.setegid(user);
    process.seteuid(user);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { name, ...request } = JSON.parse(line);
  let reply;
  try {
    reply = { answer: (await answers[name](request)) ?? null };
  } catch ({ code, path, message }) {
    reply = { error: { code: code ?? 'none', path, message } };
  }
  console.log(JSON.stringify(reply));
}
process.exit();
