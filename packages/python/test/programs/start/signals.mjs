// A signal goes to the side that asked for it last. Prints who got the first, and who the second.
import { once } from 'node:events';
import { python } from '../running.mjs';

process.on('SIGINT', () => console.log('JavaScript'));
python.exec(`
import os, signal
def interrupt(): os.kill(os.getpid(), signal.SIGINT)
`);
const interrupt = python.eval('interrupt');
const heard = once(process, 'SIGINT');
const alive = setInterval(() => {}, 1000); // a listener keeps no process alive
interrupt.call();
await heard;
clearInterval(alive);
python.exec("signal.signal(signal.SIGINT, lambda *_: print('Python', flush=True))");
interrupt.call();
python.exec('pass');
