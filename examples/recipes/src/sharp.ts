import { host } from '@array-interface/host';
import sharp from 'sharp';

/**
 * Mirrors a photograph and makes it brighter: decoded and encoded by sharp, with a loop in
 * JavaScript over planes of floats in between.
 */
export async function brighten(photo: string, result: string, factor: number): Promise<void> {
  const { data, info } = await sharp(photo).raw().toBuffer({ resolveWithObject: true });
  using pixels = host.asArray(data, { shape: [info.height, info.width, info.channels] }); // sharp's bytes
  using planes = await host.array(pixels.flip(1).permuteDims([2, 0, 1]), { dtype: 'float32' });

  const values = await planes.asTypedArray({ dtype: 'float32' });
  for (const [index, value] of values.entries()) values[index] = Math.min(255, value * factor);

  using bytes = await host.array(planes.permuteDims([1, 2, 0]), {
    dtype: 'uint8',
    casting: 'unsafe', // floats to integers
    rounding: 'nearest',
  });
  await sharp(await bytes.asTypedArray({ dtype: 'uint8' }), { raw: info }).toFile(result);
}
