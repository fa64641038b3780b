import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pythonOf, simulator } from './support/python.js';

// The dicts of real libraries, as Python prints them, pasted into the command.

const command = fileURLToPath(
  new URL('../../../packages/cli/bin/array-interface.js', import.meta.url),
);
const library = pythonOf('sycl').replace('bin/python', 'lib/libintelocl.so');

/** Prints each dict on one line and on several, then what is in it for comparison. */
const SHOW = `
import json, pprint, sys
def show(*dicts):
    for d in dicts:
        print(d); pprint.pprint(d, width=20)
        said = {"pointer": str(d["data"][0]), "shape": d["shape"], "readOnly": d["data"][1], "version": d["version"]}
        print(json.dumps(said), file=sys.stderr)
`;

test.each([
  [
    'NumPy',
    'host',
    [pythonOf('cuda')],
    `import numpy as np
a = np.arange(6, dtype='>i2').reshape(2, 3)
b = np.zeros(3, [(('a title that takes more than a line', 'a'), '<f4'), ("it's", 'u1', (2,))])
b.flags.writeable = False
show(a.__array_interface__, a[::-1, ::2].__array_interface__, b.__array_interface__, np.array(5.0).__array_interface__)`,
  ],
  [
    'Numba',
    'cuda',
    [...simulator, pythonOf('cuda')],
    `from numba import cuda
import numpy as np
a = cuda.to_device(np.ones((2, 3), 'f4'), stream=cuda.stream())
show(a.__cuda_array_interface__, cuda.device_array(3).__cuda_array_interface__)`,
  ],
  [
    'dpctl',
    'sycl',
    [pythonOf('sycl')],
    `import dpctl, dpctl.memory
queue = dpctl.SyclQueue(property=['in_order', 'enable_profiling'])
show(dpctl.memory.MemoryUSMShared(64).__sycl_usm_array_interface__,
     dpctl.memory.MemoryUSMDevice(64, queue=queue).__sycl_usm_array_interface__)`,
  ],
])('the command reads what %s prints', (_name, protocol, python, program) => {
  const [first = '', ...rest] = python;
  const env = { ...process.env, OCL_ICD_FILENAMES: library };
  const printed = spawnSync(first, [...rest, '-c', SHOW + program], { encoding: 'utf8', env });
  expect(printed).toMatchObject({ status: 0 });
  const said = printed.stderr
    .split('\n')
    .filter((line) => line.startsWith('{')) // Numba also warns
    .map((line) => ({ ok: true, protocol, ...(JSON.parse(line) as object) }));
  expect(said.length).toBeGreaterThan(1);
  const args = [command, 'inspect', '--json', '--protocol', protocol];
  const read = spawnSync(process.execPath, args, { encoding: 'utf8', input: printed.stdout });
  expect(read).toMatchObject({ status: 0, stderr: '' });
  const lines = read.stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
    said.flatMap((one) => [one, one]),
  );
});
