import {
  type Backend,
  type BackendArray,
  dtype,
  dtypesEqual,
  fromProducer,
  type OwnedArray,
  type Producer,
} from '@array-interface/core';
import { defineKernel } from '@array-interface/core/kernel';
import * as built from './blur.kernel.js';
import * as host from './host-code.js';
import { radiusOf, weightsOf } from './weights.js';

// What `npm run build:kernels` made of blur.cl, and the host's code. `firstRow` is not an argument:
// a launch fills it in if it splits a range with very many rows.
const blurColumns = defineKernel({
  ...built.blurColumns,
  parameters: { ...built.blurColumns.parameters, firstRow: { first: 0 } },
  code: { ...built.blurColumns.code, host: { javascript: host.blurColumns } },
});
const blurRows = defineKernel({
  ...built.blurRows,
  parameters: { ...built.blurRows.parameters, firstRow: { first: 0 } },
  code: { ...built.blurRows.code, host: { javascript: host.blurRows } },
});

/** How to blur, and on which backend. */
export interface BlurOptions<A extends BackendArray> {
  /** Standard deviation of the Gaussian, in pixels. */
  readonly sigma: number;
  /** The backend that computes it, and whose memory has the result. */
  readonly backend: Backend<A>;
}

/** Items of a group, along a row: short, since the groups at the edges of an image take longer. */
const GROUP = [1, 64];

/**
 * A Gaussian blur of an image (height x width, or height x width x channels) in new float32 memory of
 * `backend`, which the caller owns. Edges are mirrored; the result is SciPy's `gaussian_filter` of each
 * channel. Takes any producer, dtype and layout: a dense float32 image in memory of `backend` is read in
 * place, any other is copied once. The work is ordered after what is pending on the image, and the
 * result's next use after this work, without a wait. Settles when the work is enqueued; do not change
 * the image until then. Throws and rejects as `Backend.copy` and `Backend.launch` do.
 */
export async function blur<A extends BackendArray>(
  image: Producer | BackendArray,
  { sigma, backend }: BlurOptions<A>,
): Promise<OwnedArray<A>> {
  const { shape } = isArray(image) ? image : fromProducer(image);
  const [height, width, channels = 1] = shape;
  if (height === undefined || width === undefined || shape.length > 3) {
    throw new RangeError(`image: expected 2 or 3 axes, got ${shape.length}`);
  }
  if (!(sigma > 0 && sigma < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`sigma: expected a number of pixels above 0, got ${sigma}`);
  }
  const result = backend.empty(shape, 'float32');
  try {
    // Disposing does not wait: the memory is freed once the work has ended.
    using between = backend.empty(shape, 'float32');
    using weights = await backend.array(weightsOf(sigma));
    const isDirect = isDense(image, backend);
    if (!isDirect) await backend.copy(result, image);
    const options = { range: [height, width * channels], group: GROUP };
    const values = { weights, radius: radiusOf(sigma), height, width: width * channels };
    const source = isDirect ? image : result;
    await backend.launch(blurColumns, options, { ...values, source, target: between });
    await backend.launch(blurRows, options, {
      ...values,
      source: between,
      target: result,
      channels,
    });
    return result;
  } catch (error) {
    result[Symbol.dispose]();
    throw error;
  }
}

/** Whether kernels of a backend can read an image in place. */
function isDense(image: Producer | BackendArray, backend: Backend): boolean {
  if (!isArray(image) || image.backend !== backend) return false;
  return image.contiguous.c && dtypesEqual(image.dtype, dtype('float32'));
}

function isArray(image: Producer | BackendArray): image is BackendArray {
  return 'backend' in image;
}
