// Ends as ARGUMENT says, while a thread of Python's that is no daemon has much to do.
import { python } from '../running.mjs';

python.exec(`
import threading, time

def run():
    time.sleep(20)
    print('waited', flush=True)
threading.Thread(target=run).start()
`);
if (process.env.ARGUMENT === 'process.exit') process.exit(3);
