import path from 'node:path';
import { must } from '../run.mjs';
import { pipVariables } from './environment.mjs';

/** Creates a Python environment of wheels whose hashes a file pins. Returns its Python. */
export async function makeHashed(folder, pins) {
  await must('python3', ['-I', '-m', 'venv', folder]);
  const python = path.join(folder, 'bin', 'python');
  const only = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--no-compile'];
  const quietly = ['--quiet', '--disable-pip-version-check'];
  const install = ['-I', '-m', 'pip', 'install', ...only, ...quietly, '--requirement', pins];
  await must(python, install, { env: pipVariables() });
  return python;
}
