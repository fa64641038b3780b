import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node h5py.mjs VENV: our array goes into a file of HDF5, and a part of it into another of ours.
const python = startPython({ venv: process.argv[2] });
const h5py = python.import('h5py');
const folder = mkdtempSync(join(tmpdir(), 'h5py-'));

const ours = await host.arange(0, 12, 1, { dtype: 'int32' });
const part = host.empty([2, 4], 'int32');
const file = python.enter(h5py.callMethod('File', [join(folder, 'numbers.h5'), 'w']));
const options = {
  data: python.toPython(ours.reshape([3, 4]), { as: 'numpy' }),
  compression: 'gzip',
};
const stored = file.callMethod('create_dataset', ['numbers'], options);
stored.callMethod('read_direct', [python.toPython(part, { as: 'numpy' })], {
  source_sel: python.slice(1, 3),
});
file.dispose(); // closes it
console.log(await part.toText().then((text) => text.replace('\n', ''))); // [[ 4  5  6  7] [ 8  9 10 11]]
rmSync(folder, { recursive: true });
