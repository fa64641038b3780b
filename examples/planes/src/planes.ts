import {
  type Backend,
  type BackendArray,
  flip,
  fromProducer,
  type OwnedArray,
  type Producer,
  permuteDims,
} from '@array-interface/core';

/**
 * The channel planes of an image (height x width x channels), one after another and turned upside
 * down, in new contiguous memory of `backend`, which the caller owns. Takes any producer and any
 * backend. Neither waits for the image nor makes it contiguous first: flips its layout and copies it
 * once, ordered after its producer's pending work. Settles and rejects as `Backend.copy` does.
 */
export async function planes<A extends BackendArray>(
  image: Producer | BackendArray,
  backend: Backend<A>,
): Promise<OwnedArray<A>> {
  const turned = flip(permuteDims(fromProducer(image), [2, 0, 1]), 1);
  const made = backend.empty(turned.shape, turned.dtype);
  try {
    await backend.copy(made, turned);
    return made;
  } catch (error) {
    made[Symbol.dispose]();
    throw error;
  }
}
