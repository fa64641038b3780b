import type { Picture } from './picture.js';

/** Rows and columns `[start, stop)` of the picture's middle: an eighth is cut off on every side. */
export interface Crop {
  readonly rows: readonly [start: number, stop: number];
  readonly columns: readonly [start: number, stop: number];
  readonly height: number;
  readonly width: number;
}

export function cropOf({ height, width }: Pick<Picture, 'height' | 'width'>): Crop {
  const top = Math.floor(height / 8);
  const left = Math.floor(width / 8);
  return {
    rows: [top, height - top],
    columns: [left, width - left],
    height: height - 2 * top,
    width: width - 2 * left,
  };
}

/** What the backends must produce, computed from the decoded photograph by plain JavaScript. */
export function expectedPlanes({ pixels, pitch }: Picture, crop: Crop): Float32Array {
  const { height, width } = crop;
  const planes = new Float32Array(3 * height * width);
  let i = 0;
  for (let channel = 0; channel < 3; channel++) {
    for (let row = crop.rows[1] - 1; row >= crop.rows[0]; row--) {
      for (let column = crop.columns[0]; column < crop.columns[1]; column++) {
        planes[i++] = pixels[row * pitch + column * 3 + channel] as number;
      }
    }
  }
  return planes;
}
