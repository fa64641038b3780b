import type { Backend } from '@array-interface/core';
import type { Availability, DeviceInfo } from '@array-interface/core/backend';
import type { PythonAvailability } from '@array-interface/python';
import { type Bindings, readBindings } from './bindings.js';

/** The result of `doctor` for one backend. */
export type Finding = { readonly name: string; readonly package: string } & (
  | (Extract<Availability, { available: true }> & {
      readonly devices: readonly DeviceInfo[];
      /** Why the devices could not be listed, or null. */
      readonly problem: string | null;
    })
  | Extract<Availability, { available: false }>
);

/** The result of `doctor` for Python, through which other libraries can be called. */
export type PythonFinding = {
  readonly name: 'python';
  readonly package: string;
} & (
  | (Extract<PythonAvailability, { available: true }> & {
      /** Whose OpenSSL and zlib Python calls. Null if that cannot be read. */
      readonly bindings: readonly Bindings[] | null;
    })
  | Extract<PythonAvailability, { available: false }>
);

const BACKENDS = ['host', 'cuda', 'sycl'] as const;

/** The names of all that `doctor` examines. */
export const EXAMINED: readonly string[] = [...BACKENDS, 'python'];

/** Checks whether each backend is available. Loads their drivers. Never throws. */
export async function examine(): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const name of BACKENDS) {
    findings.push(await examineOne(name, (module) => findingOf(module[name], name)));
  }
  return findings;
}

/**
 * Checks which Python would be started, and starts it in a process of its own to see whose OpenSSL and
 * zlib it has there. Starts none here. Never throws.
 */
export async function examinePython(): Promise<PythonFinding> {
  const finding = await examineOne('python', ({ pythonAvailability }) => pythonAvailability());
  return finding.available ? { ...finding, bindings: await readBindings() } : finding;
}

/** Loads a package and asks it. The answer tells if the package cannot be loaded. */
async function examineOne<Name extends string, Answer extends object>(
  name: Name,
  ask: (module: typeof import('@array-interface/python') & Record<string, Backend>) => Answer,
) {
  const identity = { name, package: `@array-interface/${name}` };
  try {
    return { ...identity, ...ask(await import(identity.package)) };
  } catch (error) {
    return {
      ...identity,
      available: false as const,
      reason: messageOf(error),
      tried: [`import '${identity.package}'`],
      remedy: `install ${identity.package} again`,
    };
  }
}

function findingOf(backend: Backend | undefined, name: string) {
  if (backend === undefined) {
    throw new Error(`@array-interface/${name} exports no backend '${name}'`);
  }
  const { availability } = backend;
  return availability.available ? { ...availability, ...listDevices(backend) } : availability;
}

function listDevices(backend: Backend): { devices: readonly DeviceInfo[]; problem: string | null } {
  try {
    return { devices: backend.devices(), problem: null };
  } catch (error) {
    return { devices: [], problem: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
