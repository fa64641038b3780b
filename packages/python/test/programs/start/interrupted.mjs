// Waits for a signal: in the event loop, or in Python until its input ends.
import { python } from '../running.mjs';

const WAITS = {
  idle: () => {
    setInterval(() => {}, 1000);
    console.log('ready');
  },
  'in Python': () => python.exec("print('ready', flush=True)\nsys.stdin.read()"),
  'in Python, with a listener': () => {
    process.on('SIGINT', () => process.exit(5));
    WAITS['in Python']();
    setInterval(() => {}, 1000);
  },
};
python.exec('import sys');
WAITS[process.env.ARGUMENT]();
