import sharp from 'sharp';

/** Writes a field (height x width) of numbers from 0 to 1 as a PNG: black, red, yellow, white. */
export async function writePicture(
  field: Float64Array,
  width: number,
  file: string,
): Promise<void> {
  const channel = (value: number) => Math.round(255 * Math.min(1, Math.max(0, value)));
  const pixels = Uint8Array.from({ length: 3 * field.length }, (_, at) => {
    const heat = field[Math.floor(at / 3)] as number;
    return channel(3 * heat - (at % 3));
  });
  const raw = { width, height: field.length / width, channels: 3 } as const;
  await sharp(pixels, { raw }).png().toFile(file);
}
