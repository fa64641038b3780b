import type { Kernel } from '../../kernel/kernel.js';

interface Build<Handle> {
  readonly handle: Handle;
  /** Null once it is built. */
  ready: Promise<Handle> | null;
}

/**
 * The kernels that a backend has built or is building in this thread, by context. A build ends with
 * its kernel, or with the object that stands for its context: core's own kernels never end.
 */
export class BuiltKernels<Handle extends object> {
  readonly #builds = new WeakMap<Kernel, WeakMap<object, Build<Handle>>>();

  /**
   * Returns the kernel built for a context, or a promise of it. `begin` starts the build; `ended`
   * settles when it has ended. A kernel whose build failed is built again by the next call.
   */
  get(
    kernel: Kernel,
    context: object,
    begin: () => Handle,
    ended: (handle: Handle) => Promise<void>,
  ): Handle | Promise<Handle> {
    const contexts = this.#builds.get(kernel) ?? new WeakMap<object, Build<Handle>>();
    this.#builds.set(kernel, contexts);
    const known = contexts.get(context);
    if (known !== undefined) return known.ready ?? known.handle;
    const build: Build<Handle> = { handle: begin(), ready: null };
    build.ready = ended(build.handle).then(
      () => {
        build.ready = null;
        return build.handle;
      },
      (error: unknown) => {
        contexts.delete(context);
        throw error;
      },
    );
    contexts.set(context, build);
    return build.ready;
  }
}
