import { readFileSync } from 'node:fs';
import { cuda } from '@array-interface/cuda';

/** Exported by the simulator, so that its file can be told from a driver's. */
const MARKER = 'simcuda_marker';

/** So many bytes as keep a real device busy for a while; the simulator takes less for that. */
export function busy(byteLength) {
  return driver.kind === 'real' ? byteLength : byteLength / 128;
}

/** The driver of this process: a real one, the simulator, or the reason why there is none. */
function findDriver() {
  const { availability } = cuda;
  if (!availability.available) {
    return { kind: 'none', reason: `${availability.reason} (${availability.remedy})` };
  }
  const { library, version } = availability;
  // without handles, which are numbers of this process and no JSON
  const devices = cuda.devices().map(({ handle: _, ...device }) => device);
  if (devices.length === 0) return { kind: 'none', reason: `${library} finds no device` };
  const isSimulator =
    readFileSync(library).includes(MARKER) || devices.some(({ name }) => /simulator/i.test(name));
  return { kind: isSimulator ? 'simulator' : 'real', library, version, devices };
}

/** What `findDriver` found. */
export const driver = findDriver();
