import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const dict = { version: 3, shape: [4, 6], typestr: '<f4', data: [4096, false] };
const said = execFileSync('node_modules/.bin/array-interface', ['inspect', '--json'], {
  input: JSON.stringify({ __cuda_array_interface__: dict }),
  encoding: 'utf8',
});
assert.equal(JSON.parse(said).nbytes, 96);
