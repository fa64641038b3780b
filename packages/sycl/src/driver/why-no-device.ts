import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Environment, openClDriverOf } from './find-library.js';

/**
 * Returns why a loaded runtime has no device, as far as files and variables show, and what to set.
 * Each reason is a clause. Never throws.
 */
export function whyNoDevice(library: string, env: Environment): readonly string[] {
  const selector = env['ONEAPI_DEVICE_SELECTOR'];
  const chosen = selector ? [`ONEAPI_DEVICE_SELECTOR allows only ${selector}: unset it`] : [];
  const driver = openClDriverOf(library);
  for (const name of ['OCL_ICD_FILENAMES', 'OCL_ICD_VENDORS']) {
    const value = env[name];
    if (!value) continue;
    const there = value.split(':').every((file) => existsSync(file))
      ? ''
      : ', which does not exist';
    const better = driver === '' ? 'unset it' : `unset it, or set OCL_ICD_FILENAMES=${driver}`;
    return [...chosen, `${name} is ${value}${there}: ${better}`];
  }
  if (driver === '')
    return [...chosen, `no libintelocl.so in ${prefixOf(library)}: install intel-opencl-rt`];
  return [...chosen, ...brokenIcds(library, driver)];
}

/**
 * Driver registrations whose target does not exist. pip's wheel registers its driver under the path
 * of the machine that built it.
 */
function brokenIcds(library: string, driver: string): string[] {
  const folder = join(prefixOf(library), '../etc/OpenCL/vendors');
  const files = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.icd'))
    : [];
  return files.flatMap((name) => {
    const file = join(folder, name);
    const named = readFileSync(file, 'utf8').trim();
    if (named === '' || existsSync(named)) return [];
    return [`${file} names ${named}, which does not exist: set OCL_ICD_FILENAMES=${driver}`];
  });
}

/** The `lib` folder into which pip or conda installed the runtime. */
function prefixOf(library: string): string {
  return resolve(dirname(library), '../../..');
}
