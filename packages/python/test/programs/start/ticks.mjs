// A thread of Python's counts while the event loop waits.
import { python } from '../running.mjs';

python.exec(`
import threading, time
ticks = 0
def tick():
    global ticks
    while True:
        ticks += 1
        time.sleep(0.001)
threading.Thread(target=tick, daemon=True).start()
`);
const look = () => {
  if (python.eval('ticks') >= 20) console.log('ticked');
  else setTimeout(look, 5);
};
look();
