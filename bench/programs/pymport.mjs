import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { perCall } from '../runner/stopwatch.mjs';

// node pymport.mjs FOLDER: for each line of input, prints the nanoseconds of the call that it
// names in JSON, by the pymport in the folder. Runs separately because pymport has its own Python, and a
// process can have only one.
const CALLS = 100_000;
const [folder] = process.argv.slice(2);
const { pyval } = createRequire(`${folder}/`)('pymport');
const point = pyval('(lambda made: (setattr(made, "x", 1), made)[1])(type("Point", (), {})())');
const add = pyval('lambda a, b: a + b');
const ACTS = {
  attribute: () => point.get('x').toJS(),
  call: () => add.call(1, 2).toJS(),
};

for await (const name of createInterface({ input: process.stdin })) {
  console.log(await perCall(CALLS, ACTS[JSON.parse(name)]));
}
