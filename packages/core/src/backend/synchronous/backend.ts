import { throwIfAborted } from '../../input/abort.js';
import { type Checks, checkDeviceIndex, readOptions } from '../../input/options.js';
import { BaseBackend } from '../base-backend.js';
import type { BackendArray } from '../interface/array.js';
import type { PointerInfo } from '../interface/device.js';
import { readSignal, type WaitOptions } from '../interface/queue.js';
import type { SynchronousDriver } from './driver.js';
import { assertOnlyDevice, SynchronousQueue } from './queue.js';

const QUEUE_OPTIONS: Checks<{ readonly device?: number }> = { device: checkDeviceIndex };

/** The public side of a backend of one device whose work has ended when a call returns. */
export abstract class SynchronousBackend<
  A extends BackendArray,
  D extends SynchronousDriver<A> = SynchronousDriver<A>,
> extends BaseBackend<A, D> {
  /** See `Backend.inspectPointer`. */
  inspectPointer(pointer: bigint): PointerInfo {
    return this.driver.inspectPointer(pointer);
  }

  /** Returns a queue, which orders nothing. Throws ERR_ARGUMENT for any device but 0. */
  createQueue(options: { readonly device?: number } = {}): SynchronousQueue {
    const { device } = readOptions(options, QUEUE_OPTIONS);
    assertOnlyDevice(this, device);
    return new SynchronousQueue(this);
  }

  /** Settles immediately, since no work is ever pending. */
  async synchronize(options: WaitOptions = {}): Promise<void> {
    throwIfAborted(readSignal(options));
  }

  /** Settles immediately. */
  async whenKernelsReady(options: WaitOptions = {}): Promise<void> {
    throwIfAborted(readSignal(options));
  }
}
