import type { CudaArrayInterface } from '@array-interface/core';
import { probe } from './probe.js';

interface Exporter {
  readonly __cuda_array_interface__: CudaArrayInterface;
}

/**
 * Another library's array of bytes, made and worked on by calls of the driver that we do not see. Its
 * end waits for the device, so nothing may be held then.
 */
export class Stranger implements Disposable {
  readonly device: number;
  readonly length: number;
  readonly pointer: bigint;
  /** A non-blocking stream of its own. */
  readonly stream: bigint;

  constructor(length: number, device = 0) {
    this.device = device;
    this.length = length;
    probe.makeCurrent(device);
    this.pointer = probe.allocate(length);
    this.stream = probe.createStream();
  }

  /** Gives a stream a fill that is pending when this returns. */
  write(value: number, stream: bigint = this.stream): void {
    probe.makeCurrent(this.device);
    probe.memset(stream, this.pointer, value, this.length);
  }

  /** Gives its stream a copy of a range of memory into its own. */
  copyFrom(pointer: bigint): void {
    probe.makeCurrent(this.device);
    probe.copy(this.stream, this.pointer, pointer, this.length);
  }

  /** Blocks until its stream is idle. */
  finish(): void {
    probe.makeCurrent(this.device);
    probe.synchronizeStream(this.stream);
  }

  /** The one value that it is full of, when its stream is idle; NaN if it has several. */
  get value(): number {
    this.finish();
    const values = new Set(probe.readBytes(this.pointer, this.length));
    return values.size === 1 ? ([...values][0] as number) : Number.NaN;
  }

  /** Its interface dict, which names a stream or null. */
  dict(stream: bigint | null = this.stream): Exporter {
    const { pointer, length } = this;
    const data = [pointer, false] as const;
    const dict = { shape: [length], typestr: '|u1', data, strides: null, version: 3, stream };
    return { __cuda_array_interface__: dict as unknown as CudaArrayInterface };
  }

  /** Reads an array on its stream as the standard has consumers do, into its own memory. */
  read({ __cuda_array_interface__: dict }: Exporter): void {
    this.#use(dict, () => this.copyFrom(BigInt(dict.data[0])));
  }

  /** Writes an array's bytes likewise. */
  writeTo({ __cuda_array_interface__: dict }: Exporter, value: number): void {
    this.#use(dict, () =>
      probe.memset(this.stream, BigInt(dict.data[0]), value, dict.shape[0] as number),
    );
  }

  /** Work of its own between the two events of the standard's rule; a dict without a stream has none. */
  #use({ stream }: CudaArrayInterface, work: () => void): void {
    probe.makeCurrent(this.device);
    if (stream === null || stream === undefined) {
      work();
      return;
    }
    const [ready, done] = [probe.createEvent(), probe.createEvent()];
    probe.recordEvent(ready, BigInt(stream));
    probe.waitEvent(this.stream, ready);
    work();
    probe.recordEvent(done, this.stream);
    probe.waitEvent(BigInt(stream), done);
    for (const event of [ready, done]) probe.destroyEvent(event);
  }

  [Symbol.dispose](): void {
    this.finish();
    probe.free(this.pointer);
    probe.destroyStream(this.stream);
  }
}
