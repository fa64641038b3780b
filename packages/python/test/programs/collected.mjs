// Ends with status 7 as soon as Python knows that a collected object is gone, with no call in between.
import { python } from './running.mjs';

python.exec(`
import os
class Dropped:
    def __del__(self): os._exit(7)
`);
python.eval('Dropped()');
setInterval(() => globalThis.gc(), 10);
