import { randomBytes } from 'node:crypto';
import { internals, sharedLayout, show, ticketError } from '@array-interface/core/backend';
import { CudaArray } from './array.js';
import { libcuda } from './find-driver.js';
import type { CudaMemory } from './memory.js';
import type { LeaseHandle } from './native.js';
import type { Streams } from './streams.js';
import { seal, type Ticket } from './ticket.js';

/** What the lease file of a memory says so far. */
interface Lease {
  /** The file begins with it, and every ticket of the memory has it. */
  readonly nonce: string;
  readonly digests: Set<string>;
}

const leases = new WeakMap<CudaMemory, Lease>();

/** See `CudaBackend.share`. */
export function share(streams: Streams, array: CudaArray): Ticket {
  if (!(array instanceof CudaArray)) {
    const what = `an array of the CUDA backend, got ${show(array)}`;
    throw ticketError('array', what, 'copy it with cuda.array()');
  }
  const { descriptor, memory } = array;
  const layout = sharedLayout(descriptor, memory);
  checkShareable(memory);
  internals(memory).assertEnqueued('array');
  const made = libcuda().share(memory.native, streams.defaultOf(memory.device).native);
  const lease = leaseOf(memory, made.lease);
  const ticket = seal({
    kind: 'array-interface/cuda',
    version: 1,
    lease: made.path,
    nonce: lease.nonce,
    device: uuidOf(memory.device),
    memory: made.memory,
    ready: made.ready,
    back: made.back,
    byteLength: memory.allocation?.byteLength ?? 0,
    ...layout,
  });
  admit(lease, made.lease, ticket);
  return ticket;
}

function leaseOf(memory: CudaMemory, handle: LeaseHandle): Lease {
  const known = leases.get(memory);
  if (known !== undefined) return known;
  const lease: Lease = { nonce: randomBytes(16).toString('hex'), digests: new Set() };
  libcuda().writeLease(handle, lease.nonce);
  leases.set(memory, lease);
  return lease;
}

/** Writes the ticket's digest among those that hold, where openers look for it. */
function admit({ digests }: Lease, handle: LeaseHandle, { digest }: Ticket): void {
  if (digests.has(digest)) return;
  libcuda().writeLease(handle, digest);
  digests.add(digest);
}

/** The UUID of a device, in hexadecimal digits. */
function uuidOf(device: number): string {
  return libcuda().devices()[device]?.uuid ?? '';
}

function checkShareable({ memoryKind, origin }: CudaMemory): void {
  const refuse = (got: string, cure: string) =>
    ticketError('array', `device memory that this process allocated, got ${got}`, cure);
  const copy = 'copy it with cuda.array() and share the copy';
  if (memoryKind === 'shared') throw refuse('managed memory, which cannot be shared', copy);
  if (memoryKind === 'host') throw refuse('host memory, which cannot be shared', copy);
  if (origin === 'pool') throw refuse('memory of a pool, which cannot be shared', copy);
  if (origin === 'opened') {
    throw refuse(
      'memory of another process',
      `pass on the ticket that it was opened with, or ${copy}`,
    );
  }
  if (origin === 'allocated') return;
  throw refuse(
    'borrowed memory, which may be gone before its openers are',
    `share the array that allocated it, or ${copy}`,
  );
}
