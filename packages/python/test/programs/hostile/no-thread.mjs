// Drops Python objects where the process gets no other thread, and prints which are gone by the next call.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { python } from '../running.mjs';

python.exec(`
import weakref
class One: pass
def made():
    global there
    one = One()
    there = weakref.ref(one)
    return one
`);

function limitAddressSpace(bytes) {
  execFileSync('prlimit', [`--pid=${process.pid}`, `--as=${bytes}:`]);
}

function dropped() {
  python.eval('made()')[Symbol.dispose]();
  return python.eval('there() is None');
}

// The test starts this with stacks of 256 MiB: here is room for anything but one of those.
const pages = Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[0]);
limitAddressSpace(pages * 4096 + (64 << 20));
const without = dropped();
limitAddressSpace('unlimited');
console.log(without, dropped());
