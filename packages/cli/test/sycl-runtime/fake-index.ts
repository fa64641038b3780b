import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Requirement, requirements } from '../../src/sycl-runtime/requirements.js';

const script = `
import os, sys, zipfile
folder, library, *pins = sys.argv[1:]
for pin in pins:
    name, version = pin.split("==")
    name = name.replace("-", "_")
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(os.path.join(folder, f"{name}-{version}-py3-none-any.whl"), "w") as wheel:
        if name == "dpctl":
            wheel.writestr(library, "not a real library")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
`;

/** The minor number of python3's version on this machine. */
export function pythonMinor(): number {
  const code = 'import sys; print(sys.version_info[1])';
  return Number(execFileSync('python3', ['-c', code], { encoding: 'utf8' }));
}

/** Fills `folder` with a tiny wheel for each requirement. Returns an environment in which pip finds only them. */
export function fakeIndex(folder: string): NodeJS.ProcessEnv {
  const pins = requirements(pythonMinor()).map(({ name, version }) => `${name}==${version}`);
  const library = 'dpctl/libDPCTLSyclInterface.so';
  execFileSync('python3', ['-c', script, folder, library, ...pins]);
  return { ...withoutPipSettings(), PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
}

/** The pinned packages with the hashes of the tiny wheels in a folder. */
export function fakePins(folder: string): readonly Requirement[] {
  const wheels = readdirSync(folder).filter((name) => name.endsWith('.whl'));
  return requirements(pythonMinor()).map((pin) => {
    const file = wheels.find((name) =>
      name.startsWith(`${pin.name.replaceAll('-', '_')}-${pin.version}-`),
    );
    const bytes = readFileSync(path.join(folder, file as string));
    return { ...pin, sha256: [createHash('sha256').update(bytes).digest('hex')] };
  });
}

/** This process's environment without settings of pip. */
export function withoutPipSettings(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('PIP_'));
  return { ...Object.fromEntries(kept), PIP_CONFIG_FILE: '/dev/null' };
}
