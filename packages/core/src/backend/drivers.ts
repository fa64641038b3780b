import type { Driver } from './driver.js';
import type { BackendIdentity, Memory } from './memory.js';

const drivers = new WeakMap<BackendIdentity, Driver>();

/** Makes a backend's driver known to copies from and to other backends. */
export function registerDriver(backend: BackendIdentity, driver: Driver): void {
  drivers.set(backend, driver);
}

/** The driver of a memory's backend; null for one of another installed copy of this package. */
export function driverOf(memory: Memory): Driver | null {
  return drivers.get(memory.backend) ?? null;
}
