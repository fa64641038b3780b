import { internals, sharedLayout, show, ticketError } from '@array-interface/core/backend';
import { HostArray } from './host-array.js';
import type { HostMemory, SharedFile } from './host-memory.js';
import { assertAtRest } from './pending-work.js';
import { form, HEADER_LENGTH, hashWith, NONCE_LENGTH, type Ticket } from './ticket.js';

const SHAREABLE =
  'make the array with host.empty(shape, dtype, { shareable: true }), or copy it with ' +
  'host.array(array, { shareable: true })';

/** See `HostBackend.share`. */
export function share(array: HostArray): Ticket {
  if (!(array instanceof HostArray)) {
    throw ticketError('array', `an array of the host backend, got ${show(array)}`, SHAREABLE);
  }
  const { descriptor } = array;
  const memory = array.memory as HostMemory;
  internals(memory).assertLive('array');
  const layout = sharedLayout(descriptor, memory);
  const { path, header } = fileOf(memory);
  assertAtRest(memory, descriptor);
  const body = {
    kind: 'array-interface/host',
    version: 1,
    lease: path,
    nonce: header.slice(0, NONCE_LENGTH),
    byteLength: memory.allocation?.byteLength ?? 0,
    ...layout,
  } as const;
  return form.seal(body, hashWith(header.slice(NONCE_LENGTH, HEADER_LENGTH)));
}

/** Throws ERR_TICKET for memory that was not made to be shared. */
function fileOf({ file }: HostMemory): SharedFile {
  if (file === 'opened') {
    throw ticketError(
      'array',
      'shareable memory of this process, got memory of another process',
      'pass on the ticket that it was opened with',
    );
  }
  if (file !== null) return file;
  throw ticketError('array', 'memory that was made to be shared, got other memory', SHAREABLE);
}
