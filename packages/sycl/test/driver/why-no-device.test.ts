import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { whyNoDevice } from '../../src/driver/why-no-device.js';

let prefix: string;
let library: string;
let driver: string;

beforeEach(() => {
  prefix = mkdtempSync(join(tmpdir(), 'no-device-'));
  const folder = join(prefix, 'lib/python3.11/site-packages/dpctl');
  for (const one of [folder, join(prefix, 'etc/OpenCL/vendors')])
    mkdirSync(one, { recursive: true });
  library = join(folder, 'libDPCTLSyclInterface.so');
  driver = join(prefix, 'lib/libintelocl.so');
});
afterEach(() => rmSync(prefix, { recursive: true }));

test('no driver beside the library', () => {
  expect(whyNoDevice(library, {})).toEqual([
    `no libintelocl.so in ${join(prefix, 'lib')}: install intel-opencl-rt`,
  ]);
});

test('the wheel’s .icd file names a missing file', () => {
  writeFileSync(driver, '');
  const file = join(prefix, 'etc/OpenCL/vendors/intel-cpu.icd');
  writeFileSync(file, '/opt/anaconda/lib/libintelocl.so\n');
  writeFileSync(join(prefix, 'etc/OpenCL/vendors/good.icd'), driver);
  expect(whyNoDevice(library, {})).toEqual([
    `${file} names /opt/anaconda/lib/libintelocl.so, which does not exist: set OCL_ICD_FILENAMES=${driver}`,
  ]);
});

test('variables that point elsewhere', () => {
  writeFileSync(driver, '');
  const env = { OCL_ICD_FILENAMES: '/nowhere/driver.so', ONEAPI_DEVICE_SELECTOR: 'cuda:gpu' };
  expect(whyNoDevice(library, env)).toEqual([
    'ONEAPI_DEVICE_SELECTOR allows only cuda:gpu: unset it',
    `OCL_ICD_FILENAMES is /nowhere/driver.so, which does not exist: unset it, or set OCL_ICD_FILENAMES=${driver}`,
  ]);
});
