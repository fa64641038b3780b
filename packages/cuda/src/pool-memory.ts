import { addon } from './addon.js';
import { AllocatedMemory } from './allocated-memory.js';
import type { CudaBackend } from './backend.js';
import type { CudaEvent } from './event.js';
import type { NativeMemory } from './native.js';
import type { MemoryPool } from './pool.js';
import type { Stream } from './stream.js';

/** A block of a pool: there and gone in the order of its home stream, without waiting. */
export class PoolMemory extends AllocatedMemory {
  readonly pool: MemoryPool;
  readonly #home: Stream;

  /** Uninitialised bytes, at least one. Throws ERR_CAPTURE, ERR_OUT_OF_MEMORY, ERR_CUDA. */
  constructor(backend: CudaBackend, pool: MemoryPool, byteLength: number, home: Stream) {
    home.assertRuns();
    const made: NativeMemory = pool.allocate(home, byteLength);
    super(backend, made, { device: pool.device, memoryKind: 'device', byteLength, home });
    this.pool = pool;
    this.#home = home;
    this.after(home); // on other streams it is there only after this
  }

  override isReachedFrom(device: number): boolean {
    return this.pool.reachedFrom(device);
  }

  protected override giveBack(pending: readonly CudaEvent[]): void {
    addon().freeOn(this.handle, this.#home.native, ...pending.map((event) => event.handle));
  }
}
