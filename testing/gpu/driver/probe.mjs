import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// Calls of the driver, as another library in the process makes them. packages/cuda/test/support/probe.ts
// has their types. The file is next to the addon.
const entry = import.meta.resolve('@array-interface/cuda');
const file = fileURLToPath(new URL('../build/Release/test/driver_probe.node', entry));

/** The calls. Those that create, use or destroy something need `makeCurrent(device)` first. */
export const probe = createRequire(import.meta.url)(file);

/** A stranger's streams, memory and held work in a check. All of it is gone when the check has ended. */
export class Stranger {
  #ends = [];

  /** `use` is a check's. What the check creates later ends earlier. */
  constructor(use) {
    probe.makeCurrent(0);
    use(this);
  }

  stream() {
    const stream = probe.createStream();
    this.#ends.push(() => probe.destroyStream(stream));
    return stream;
  }

  /** Device memory in which every byte is `byte`. */
  memory(byteLength, byte) {
    const pointer = probe.allocate(byteLength);
    const stream = this.stream();
    probe.memset(stream, pointer, byte, byteLength);
    probe.synchronizeStream(stream);
    this.#ends.push(() => probe.free(pointer));
    return pointer;
  }

  /** Keeps a stream busy until the function is called, as a long-running kernel would. */
  hold(stream) {
    const open = probe.hold(stream);
    let isHeld = true;
    const release = () => {
      if (isHeld) open();
      isHeld = false;
    };
    this.#ends.push(release);
    return release;
  }

  [Symbol.dispose]() {
    for (const end of this.#ends.reverse()) end();
  }
}
