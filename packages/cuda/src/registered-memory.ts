import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { addon } from './addon.js';
import { AllocatedMemory } from './allocated-memory.js';
import type { CudaBackend } from './backend.js';
import { driver } from './driver.js';
import type { RegistrationHandle } from './native.js';

const SWEEP_MS = 1000;

/** Buffers that the driver knows: they may not go before it has forgotten them. */
const buffers = new Map<RegistrationHandle, SharedArrayBuffer>();
let timer: ReturnType<typeof setInterval> | null = null;

/** JavaScript memory that the device reaches in place; held until the driver has let go of it. */
export class RegisteredMemory extends AllocatedMemory {
  /** Throws ERR_ARGUMENT for memory that could move away, ERR_CUDA when the driver refuses it. */
  constructor(backend: CudaBackend, device: number, array: ArrayDescriptor) {
    const bytes = bytesThatStay(array);
    const made = driver().register(device, bytes);
    hold(made.registration, bytes.buffer as SharedArrayBuffer);
    super(backend, made, { device, memoryKind: 'host', byteLength: bytes.byteLength });
  }
}

/** A buffer that is not shared can be transferred or resized away under the device's work. */
function bytesThatStay({ buffer, pointer, nbytes }: ArrayDescriptor): Uint8Array {
  if (buffer instanceof SharedArrayBuffer && nbytes > 0) {
    return new Uint8Array(buffer, Number(pointer), nbytes);
  }
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'array',
    'expected elements in a SharedArrayBuffer, which stays where it is, got ' +
      `${nbytes === 0 ? 'none' : 'an ArrayBuffer, which may be transferred away'}; ` +
      'copy it with cuda.array(source, { memoryKind: "host" })',
  );
}

function hold(registration: RegistrationHandle, buffer: SharedArrayBuffer): void {
  sweep();
  buffers.set(registration, buffer);
  if (timer !== null) return;
  timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
}

function sweep(): void {
  for (const registration of buffers.keys()) {
    if (!addon().isRegistered(registration)) buffers.delete(registration);
  }
  if (buffers.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}
