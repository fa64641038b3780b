import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

// Calls of the driver as another library in the process makes them; packages/cuda/test/support/probe.ts has
// their types. It lies beside the addon.
const entry = import.meta.resolve('@array-interface/cuda');
const file = fileURLToPath(new URL('../build/Release/test/driver_probe.node', entry));

/** The calls; what makes, uses or ends something needs `makeCurrent(device)` before. */
export const probe = createRequire(import.meta.url)(file);

/** A stranger's stream, memory and held work in a check; all of it is gone when the check has ended. */
export class Stranger {
  #ends = [];

  /** @param use A check's; what it makes later ends before. */
  constructor(use) {
    probe.makeCurrent(0);
    use(this);
  }

  stream() {
    const stream = probe.createStream();
    this.#ends.push(() => probe.destroyStream(stream));
    return stream;
  }

  /** Device memory that holds `byte` everywhere. */
  memory(byteLength, byte) {
    const pointer = probe.allocate(byteLength);
    const stream = this.stream();
    probe.memset(stream, pointer, byte, byteLength);
    probe.synchronizeStream(stream);
    this.#ends.push(() => probe.free(pointer));
    return pointer;
  }

  /** Keeps a stream busy, as a kernel that runs for long, until the function is called. */
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
