import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const program =
  "import('@array-interface/cuda').then(({ cuda }) => console.log(cuda.availability.available))";
const args = [process.execPath, '--eval', program];
const said = execFileSync('node_modules/.bin/cuda-simulator', args, { encoding: 'utf8' });
assert.equal(said, 'true\n');
