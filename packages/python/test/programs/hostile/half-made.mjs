// Prints what a Python function saw of lists and tuples that were not complete yet.
import { python } from '../running.mjs';

python.exec(`
import gc
seen = []
def look():
    for one in gc.get_objects():
        if type(one) in (list, tuple) and len(one) == 77: seen.append([item for item in one])
def take(value): return value
`);
const take = python.eval('take');
const looks = () => python.eval('look()');
const getter = {
  get x() {
    looks();
    return 1;
  },
};
const named = () => {};
Object.defineProperty(named, 'name', { get: () => looks() ?? 'named' });
const around = (value) => Array.from({ length: 77 }, (_, i) => (i === 40 ? value : i));
take.call([around(getter)]).dispose(); // it would be seen, complete
take.call([new Map([[around(named), 1]])]);
console.log(python.eval('len(seen)'));
