import { randomBytes } from 'node:crypto';
import { ArrayInterfaceError, toCudaArrayInterface } from '@array-interface/core';
import type { Queue } from '@array-interface/core/backend';
import { addon } from './addon.js';
import { AllocatedMemory } from './allocated-memory.js';
import type { CudaArray } from './array.js';
import type { CudaBackend } from './backend.js';
import { driver } from './driver.js';
import { CudaEvent } from './event.js';
import type { CudaMemory } from './memory.js';
import type { NativeShare } from './native.js';
import { OpenedMemory } from './opened-memory.js';
import { PoolMemory } from './pool-memory.js';
import type { Stream } from './stream.js';
import { seal, type Ticket, ticketError } from './ticket.js';

/** A block of ours as other processes open it: one for all tickets of its arrays. */
export class MemoryShare {
  readonly native: NativeShare;
  /** What the lease begins with, and every ticket of it has. */
  readonly nonce: string = randomBytes(16).toString('hex');
  /** After the openers' work. */
  readonly back: CudaEvent;
  readonly #memory: AllocatedMemory;
  readonly #digests = new Set<string>();

  constructor(memory: AllocatedMemory, stream: Stream) {
    this.#memory = memory;
    this.native = driver().share(memory.handle, stream.native);
    addon().writeLease(this.native.lease, this.nonce);
    this.back = new CudaEvent(this.native.backEvent, false);
  }

  /** Openers find the ticket among those that hold. */
  admit({ digest }: Ticket): void {
    if (this.#digests.has(digest)) return;
    addon().writeLease(this.native.lease, digest);
    this.#digests.add(digest);
  }

  waitForOpeners(queue: Queue): void {
    queue.wait(this.back);
  }

  /**
   * Openers' work from now on is after what the stream has, too. Always recorded on the device's own
   * stream, and so still after what it stood for: the stream need not have waited for other work.
   */
  moveReady(queue: Queue): void {
    const own = this.#memory.backend.streamOf(this.#memory.device);
    if (!own.isSame(queue)) own.wait(queue.record());
    addon().moveEvent(this.native.readyEvent, own.native);
  }
}

/** See `CudaBackend.share`. */
export function share(backend: CudaBackend, array: CudaArray): Ticket {
  const { descriptor, memory } = array;
  if (descriptor.mask !== null) {
    throw new ArrayInterfaceError(
      'ERR_MASK',
      'array.mask',
      'expected an array without a mask, got a masked one; share its data and its mask apart',
    );
  }
  const block = shareable(memory);
  const made = shareNow(backend, block);
  const { native } = made;
  const { typestr, descr, shape } = toCudaArrayInterface(descriptor.with({ stream: null }));
  const ticket = seal({
    kind: 'array-interface/cuda',
    version: 1,
    lease: native.path,
    nonce: made.nonce,
    device: uuidOf(block.device),
    memory: native.memory,
    ready: native.ready,
    back: native.back,
    byteLength: block.allocation.byteLength,
    offset: descriptor.size === 0 ? 0 : Number(descriptor.pointer - block.pointer),
    shape: [...shape],
    byteStrides: [...descriptor.byteStrides],
    typestr,
    descr: descr ?? null,
    readOnly: descriptor.readOnly,
  });
  made.admit(ticket);
  return ticket;
}

/** Ready after all work on the block, also after what consumers have put on exported streams by now. */
function shareNow(backend: CudaBackend, block: AllocatedMemory): MemoryShare {
  const own = backend.streamOf(block.device);
  block.before(own);
  const made = block.shareWith(() => new MemoryShare(block, own));
  made.moveReady(own);
  return made;
}

/** The UUID of a device, in hexadecimal digits. */
function uuidOf(device: number): string {
  return driver().devices()[device]?.uuid ?? '';
}

function shareable(memory: CudaMemory): AllocatedMemory {
  const refuse = (got: string, cure: string) =>
    ticketError('array', `device memory that this process allocated, got ${got}`, cure);
  const copy = 'copy it with cuda.array() and share the copy';
  if (memory.memoryKind === 'shared') throw refuse('managed memory, which cannot be shared', copy);
  if (memory.memoryKind === 'host') throw refuse('host memory, which cannot be shared', copy);
  if (memory instanceof PoolMemory) throw refuse('memory of a pool, which cannot be shared', copy);
  if (memory instanceof OpenedMemory) {
    throw refuse(
      'memory of another process',
      `pass on the ticket that it was opened with, or ${copy}`,
    );
  }
  if (memory instanceof AllocatedMemory) return memory;
  throw refuse('borrowed memory, which may be gone before its openers are', copy);
}
