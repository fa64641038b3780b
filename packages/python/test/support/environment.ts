import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** ARRAY_INTERFACE_TEST_PYTHON: the folder of an environment with NumPy, or its program. */
const named = process.env['ARRAY_INTERFACE_TEST_PYTHON'];

/** The folder of the Python environment of these tests. NumPy is in it; by default, dpctl too. */
export const venv: string = folderOf(
  resolve(named || fileURLToPath(new URL('../../../../.sycl-runtime', import.meta.url))),
);

/** Whether dpctl and the OpenCL driver are in it: it was not chosen for another Python's sake. */
export const hasDpctl: boolean = !named;

function folderOf(place: string): string {
  return statSync(place).isDirectory() ? place : dirname(dirname(place));
}
