// A fork of this process calls its functions: on the thread of a run, which forks, and on this one.
import { call, python } from './calls.mjs';

python.exec(`
import os, warnings
warnings.simplefilter('ignore', DeprecationWarning)  # that it may deadlock
def forked(f):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, caught(f).encode())
        os._exit(0)
    os.waitpid(child, 0)
    return os.read(read, 1000).decode()
`);
const forked = python.eval('forked');
const f = () => 'called';
console.log(await python.runAsync(forked, [f]));
console.log(call.call([forked, f]));
