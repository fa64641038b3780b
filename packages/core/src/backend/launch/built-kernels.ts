import type { Kernel } from '../../kernel/kernel.js';

interface Build<Handle> {
  readonly handle: Handle;
  /** Null once it is built. */
  ready: Promise<Handle> | null;
}

/** The kernels that a backend has built or is building in this thread, by place. */
export class BuiltKernels<Place, Handle extends object> {
  readonly #builds = new WeakMap<Kernel, Map<Place, Build<Handle>>>();

  /**
   * Returns the kernel built for a place, or a promise of it. `begin` starts the build; `ended`
   * settles when it has ended. A kernel whose build failed is built again by the next call.
   */
  get(
    kernel: Kernel,
    place: Place,
    begin: () => Handle,
    ended: (handle: Handle) => Promise<void>,
  ): Handle | Promise<Handle> {
    const places = this.#builds.get(kernel) ?? new Map<Place, Build<Handle>>();
    this.#builds.set(kernel, places);
    const known = places.get(place);
    if (known !== undefined) return known.ready ?? known.handle;
    const build: Build<Handle> = { handle: begin(), ready: null };
    build.ready = ended(build.handle).then(
      () => {
        build.ready = null;
        return build.handle;
      },
      (error: unknown) => {
        places.delete(place);
        throw error;
      },
    );
    places.set(place, build);
    return build.ready;
  }
}
