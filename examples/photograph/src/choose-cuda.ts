import { cuda } from '@array-interface/cuda';
import { libraryPath } from '@array-interface/cuda-simulator';

/**
 * Chooses a CUDA driver: the machine's own, or the simulator if it has none. Returns what was chosen, as
 * a sentence. Throws ERR_BACKEND_UNAVAILABLE if there is neither.
 */
export function chooseCuda(): string {
  const real = cuda.availability;
  if (real.available) return describeDriver();
  process.env.ARRAY_INTERFACE_LIBCUDA = libraryPath;
  return `${describeDriver()}, since there is no driver (${real.reason})`;
}

function describeDriver(): string {
  const [device] = cuda.devices();
  const kind = device?.name.includes('simulator') ? 'SIMULATED' : 'real';
  return `${kind}: ${device?.name}, driver ${device?.driverVersion}`;
}
