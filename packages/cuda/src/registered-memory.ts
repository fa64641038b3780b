import { type ArrayDescriptor, ArrayInterfaceError } from '@array-interface/core';
import { memoryOf } from '@array-interface/core/backend';
import { addon } from './addon.js';
import { AllocatedMemory } from './allocated-memory.js';
import type { CudaBackend } from './backend.js';
import { driver } from './driver.js';
import type { RegistrationHandle } from './native.js';

const SWEEP_MS = 1000;

/** What the driver knows, and what to do once it has forgotten it: until then it may not go. */
const held = new Map<RegistrationHandle, () => void>();
let timer: ReturnType<typeof setInterval> | null = null;

/** Memory of others that the device reaches in place; held until the driver has let go of it. */
export class RegisteredMemory extends AllocatedMemory {
  /** How far the address that this process uses is from the one that kernels use. */
  readonly #hostShift: bigint;

  /**
   * What the elements touch. Throws ERR_MASK for a masked array, ERR_ARGUMENT for memory that could
   * move away, ERR_NOT_ACCESSIBLE for memory that this process does not reach, ERR_CUDA when the
   * driver refuses it.
   */
  constructor(backend: CudaBackend, device: number, array: ArrayDescriptor) {
    assertUnmasked(array);
    const { made, byteLength } =
      array.buffer === null ? registerRange(device, array) : registerBuffer(device, array);
    super(backend, made, { device, memoryKind: 'host', byteLength });
    this.#hostShift = made.hostPointer - made.pointer;
  }

  /** @internal */
  protected override hostAddress(pointer: bigint): bigint {
    return pointer + this.#hostShift;
  }
}

function assertUnmasked({ mask }: ArrayDescriptor): void {
  if (mask === null) return;
  throw new ArrayInterfaceError(
    'ERR_MASK',
    'array.mask',
    'expected an array without a mask, got a masked one; register its data and its mask apart',
  );
}

function registerBuffer(device: number, array: ArrayDescriptor) {
  const bytes = bytesThatStay(array);
  const made = driver().register(device, bytes);
  const { buffer } = bytes;
  hold(made.registration, () => void buffer);
  return { made, byteLength: bytes.byteLength };
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

/** Memory of another backend, which keeps it as long as it is registered. */
function registerRange(device: number, array: ArrayDescriptor) {
  const memory = memoryOf(array.owner);
  memory?.assertLive('array');
  memory?.assertHolds(array, 'array');
  const [low, high] = array.extent;
  const seen = memory?.allocation && array.size > 0 ? memory.onHost(array) : null;
  if (memory === null || seen === null) throw unreached();
  const byteLength = high - low;
  const made = driver().registerRange(device, seen.pointer + BigInt(low), byteLength);
  memory.retain();
  hold(made.registration, () => memory.release());
  return { made, byteLength };
}

function unreached(): ArrayInterfaceError {
  return new ArrayInterfaceError(
    'ERR_NOT_ACCESSIBLE',
    'array',
    "expected elements in another backend's memory that this process reaches and that stays where it " +
      'is, got others; copy them with cuda.array(source, { memoryKind: "host" })',
  );
}

function hold(registration: RegistrationHandle, letGo: () => void): void {
  sweep();
  held.set(registration, letGo);
  if (timer !== null) return;
  timer = setInterval(sweep, SWEEP_MS);
  timer.unref();
}

function sweep(): void {
  for (const [registration, letGo] of held) {
    if (addon().isRegistered(registration)) continue;
    held.delete(registration);
    letGo();
  }
  if (held.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
}
