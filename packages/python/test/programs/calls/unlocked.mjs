// Python's threads go on while JavaScript runs: they write a file, for which a callback waits.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, python } from './calls.mjs';

const folder = mkdtempSync(join(tmpdir(), 'array-interface-'));
const path = join(folder, 'ticks');
python.exec(`
def tick(path):
    with open(path, 'wb', buffering=0) as file:
        while True:
            file.write(b'.')
            time.sleep(0.001)
`);
const size = () => {
  try {
    return readFileSync(path).length;
  } catch {
    return 0;
  }
};
const spin = () => {
  const before = size();
  while (size() < before + 5);
  return 'ticked';
};
python.runAsync(python.eval('tick'), [path]);
console.log(call.call([spin]));
console.log(await python.runAsync(call, [spin]));
rmSync(folder, { recursive: true });
process.exit();
