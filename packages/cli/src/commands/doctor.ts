import type { Backend } from '@array-interface/core';
import type { Availability, DeviceInfo } from '@array-interface/core/backend';
import type { PythonAvailability } from '@array-interface/python';

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
} & PythonAvailability;

const BACKENDS = ['host', 'cuda', 'sycl'] as const;

/** Checks whether each backend is available. Loads their drivers. Never throws. */
export async function examine(): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const name of BACKENDS) findings.push(await examineOne(name));
  return findings;
}

async function examineOne(name: (typeof BACKENDS)[number]): Promise<Finding> {
  const identity = { name, package: `@array-interface/${name}` };
  try {
    const module = (await import(identity.package)) as Record<string, Backend | undefined>;
    const backend = module[name];
    if (backend === undefined) throw new Error(`${identity.package} exports no backend '${name}'`);
    const { availability } = backend;
    if (!availability.available) return { ...identity, ...availability };
    return { ...identity, ...availability, ...listDevices(backend) };
  } catch (error) {
    return { ...identity, ...notInstalled(identity.package, error) };
  }
}

/** Checks which Python would be started. Starts none. Never throws. */
export async function examinePython(): Promise<PythonFinding> {
  const identity = { name: 'python', package: '@array-interface/python' } as const;
  try {
    const { pythonAvailability } = await import('@array-interface/python');
    return { ...identity, ...pythonAvailability() };
  } catch (error) {
    return { ...identity, ...notInstalled(identity.package, error) };
  }
}

function notInstalled(name: string, error: unknown): Extract<Availability, { available: false }> {
  return {
    available: false,
    reason: messageOf(error),
    tried: [`import '${name}'`],
    remedy: `install ${name} again`,
  };
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
