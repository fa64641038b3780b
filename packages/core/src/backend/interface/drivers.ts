import type { Driver } from './driver.js';
import type { BackendIdentity, Memory } from './memory.js';

const drivers = new WeakMap<BackendIdentity, Driver>();

/** Registers a backend's driver, for copies from and to other backends. */
export function registerDriver(backend: BackendIdentity, driver: Driver): void {
  drivers.set(backend, driver);
}

/** The driver of a memory's backend. Null for a backend of another installed copy of core. */
export function driverOf(memory: Memory): Driver | null {
  return drivers.get(memory.backend) ?? null;
}
