// Ends as ARGUMENT says. Python has output that is not flushed, exit functions, and busy threads.
import { python } from '../running.mjs';

python.exec(`
import atexit, sys, threading

def run():
    while True: sum(range(1000))

for _ in range(4): threading.Thread(target=run, daemon=True).start()
atexit.register(print, 'registered first', end='')
atexit.register(print, 'registered last')
sys.stdout.write('no newline, ')
`);
const ENDS = {
  'natural end': () => {},
  'process.exit': () => process.exit(3),
  'uncaught error': () => {
    throw new Error('mine');
  },
  'listener that throws': () => {
    process.prependListener('exit', () => {
      throw new Error('mine');
    });
    process.exit(3);
  },
};
ENDS[process.env.ARGUMENT]();
