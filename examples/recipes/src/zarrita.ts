import { host } from '@array-interface/host';
import * as zarr from 'zarrita';

/** Writes every second row and column of a Zarr array of 2 axes into another, some rows at a time. */
export async function halve(
  from: zarr.Array<'float32', zarr.Readable>,
  to: zarr.Array<'float32', zarr.Mutable>,
): Promise<void> {
  const [height = 0] = from.shape;
  const [rows = 1] = to.chunks;
  for (let row = 0; row < height; row += 2 * rows) {
    const { data, shape, stride } = await zarr.get(from, [zarr.slice(row, row + 2 * rows), null]);
    using whole = host.asArray(data, { shape, elementStrides: stride }); // zarrita's memory
    using half = await host.array(
      whole.slice([
        [null, null, 2],
        [null, null, 2],
      ]),
    ); // dense
    await zarr.set(to, [zarr.slice(row / 2, row / 2 + rows), null], {
      data: await half.asTypedArray({ dtype: 'float32' }),
      shape: [...half.shape],
      stride: [...(half.elementStrides ?? [])],
    });
  }
}
