import type { Backend } from '@array-interface/core';
import type { Availability, DeviceInfo } from '@array-interface/core/backend';

/** What `doctor` found out about one backend. */
export type Finding = { readonly name: string; readonly package: string } & (
  | (Extract<Availability, { available: true }> & {
      readonly devices: readonly DeviceInfo[];
      /** Why the devices could not be listed, or null. */
      readonly problem: string | null;
    })
  | Extract<Availability, { available: false }>
);

const BACKENDS = ['host', 'cuda', 'sycl'] as const;

/** Asks every backend whether it is there. Loads their drivers; never throws. */
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
    return {
      ...identity,
      available: false,
      reason: messageOf(error),
      tried: [`import '${identity.package}'`],
      remedy: `install ${identity.package} again`,
    };
  }
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
