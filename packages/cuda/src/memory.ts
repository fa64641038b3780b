import type { ArrayDescriptor } from '@array-interface/core';
import { Memory, type Queue, type Sync } from '@array-interface/core/backend';
import type { CudaBackend } from './backend.js';
import { driver } from './driver.js';
import type { CudaMemoryKind } from './native.js';
import { ownStream } from './stream.js';

/** Memory that the CUDA driver knows. */
export abstract class CudaMemory extends Memory {
  abstract override readonly backend: CudaBackend;
  /** The device that it lies on or was allocated for. */
  abstract readonly device: number;
  /** `shared` is managed memory, `host` pinned or registered. */
  abstract readonly memoryKind: CudaMemoryKind;
  /** How its arrays tell consumers of pending work. @internal */
  exportMode: Sync = 'wait';

  protected override ownQueue(): Queue {
    return this.backend.streamOf(this.device);
  }

  /** Whether kernels on another device reach it; lets them where they can. @internal */
  isReachedFrom(_device: number): boolean | null {
    return null;
  }

  /** Pinned, registered and managed memory, the last where the device can do without it for a while. */
  override onHost(array: ArrayDescriptor): ArrayDescriptor | null {
    if (this.memoryKind === 'device') return null;
    if (this.memoryKind === 'shared' && !driver().sharesManaged(this.device)) return null;
    const address = this.hostAddress(array.pointer);
    return address === null ? null : array.with({ pointer: address });
  }

  /** Where this process finds an address of arrays on this memory; null: nowhere. @internal */
  protected hostAddress(pointer: bigint): bigint | null {
    return pointer;
  }

  /**
   * The stream for an interface dict: one on which all pending work is waited for, or null when
   * there is none, when this thread waited for it, or when consumers are to see to it.
   */
  exportStream(): bigint | null {
    if (this.exportMode === 'none') return null;
    const queue = this.exportQueue();
    if (queue === null) return null;
    if (this.exportMode === 'wait') return ownStream(queue).handle;
    queue.synchronizeSync();
    return null;
  }
}
