import { readFileSync } from 'node:fs';
import { cuda } from '@array-interface/cuda';

/** A symbol of the simulator, by which its file is told from a driver's. */
const MARKER = 'simcuda_marker';

/** How many bytes keep a real device busy for a while. Fewer are enough for the simulator. */
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
