/** The CPython versions that the pinned dpctl has wheels for: the minor number of 3.x. */
export const pythonMinors: { readonly first: number; readonly last: number } = {
  first: 10,
  last: 14,
};

/** The Python packages of the runtime for Python 3.`minor`, each with the version it was tested with. */
export function requirements(minor: number): readonly string[] {
  return [
    'dpctl==0.22.1',
    'intel-opencl-rt==2026.2.0',
    'intel-sycl-rt==2026.2.0',
    'intel-cmplr-lib-rt==2026.2.0',
    'intel-cmplr-lib-ur==2026.2.0',
    'intel-cmplr-lic-rt==2026.2.0',
    'tbb==2023.2.0',
    'tcmlib==1.6.0',
    'umf==1.2.0',
    minor < 11 ? 'numpy==2.2.6' : 'numpy==2.4.6',
  ];
}

/** What the runtime takes on disk, for people. */
export const size = '1.6 GB';

/** Bytes that have to be free while it is made: the runtime and the files it is unpacked from. */
export const bytesNeeded = 2_400_000_000;
