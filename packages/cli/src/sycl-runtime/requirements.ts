import { wheelHashes } from './wheel-hashes.js';

/** The CPython versions that the pinned dpctl has wheels for: the minor versions of Python 3. */
export const pythonMinors: { readonly first: number; readonly last: number } = {
  first: 10,
  last: 14,
};

/** A Python package of the runtime. */
export interface Requirement {
  readonly name: string;
  readonly version: string;
  /** Approximate size of the download, in MB. */
  readonly megabytes: number;
  /**
   * The hashes of its wheels. Without them any wheel of the version is accepted, which is only for
   * development.
   */
  readonly sha256?: readonly string[];
}

/** The line for a package in a requirements file. */
export function pinOf({ name, version, sha256 = [] }: Requirement): string {
  return [`${name}==${version}`, ...sha256.map((hash) => `--hash=sha256:${hash}`)].join(' ');
}

/** The flags with which pip rejects wheels without a hash. None if no package has hashes. */
export function hashFlags(wanted: readonly Requirement[]): readonly string[] {
  return wanted.some(({ sha256 }) => sha256 !== undefined) ? ['--require-hashes'] : [];
}

/** The packages of the runtime for Python 3.`minor`, each in the version it was tested with. */
export function requirements(minor: number): readonly Requirement[] {
  const pins = [
    { name: 'dpctl', version: '0.22.1', megabytes: 2 },
    { name: 'intel-opencl-rt', version: '2026.2.0', megabytes: 225 },
    { name: 'intel-sycl-rt', version: '2026.2.0', megabytes: 173 },
    { name: 'intel-cmplr-lib-rt', version: '2026.2.0', megabytes: 42 },
    { name: 'intel-cmplr-lib-ur', version: '2026.2.0', megabytes: 34 },
    { name: 'intel-cmplr-lic-rt', version: '2026.2.0', megabytes: 1 },
    { name: 'tbb', version: '2023.2.0', megabytes: 7 },
    { name: 'tcmlib', version: '1.6.0', megabytes: 3 },
    { name: 'umf', version: '1.2.0', megabytes: 1 },
    { name: 'numpy', version: minor < 11 ? '2.2.6' : '2.4.6', megabytes: 17 },
  ];
  return pins.map((pin) => ({ ...pin, sha256: hashesOf(`${pin.name}==${pin.version}`) }));
}

/** Without hashes, pip would accept whatever an index has. */
function hashesOf(pin: string): readonly string[] {
  const hashes = wheelHashes[pin];
  if (hashes === undefined)
    throw new Error(`expected hashes of ${pin}: run scripts/sycl/hashes.mjs`);
  return hashes;
}

/** Disk space of the runtime, for people. */
export const size = '1.6 GB';

/**
 * Bytes of disk space that must be free while it is made: for the runtime, and for the files it is
 * unpacked from.
 */
export const bytesNeeded = 2_400_000_000;
