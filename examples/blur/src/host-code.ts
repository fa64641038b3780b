import type { HostArguments } from '@array-interface/core/kernel';
import type * as built from './blur.kernel.js';
import { blurLine } from './blur-line.js';
import { reflected } from './reflected.js';

type ColumnsArguments = HostArguments<typeof built.blurColumns.parameters>;
type RowsArguments = HostArguments<typeof built.blurRows.parameters>;

/** `blurColumns` in JavaScript: all items of the range. */
export function blurColumns(args: Omit<ColumnsArguments, 'firstRow'>): void {
  const { source, target, weights, radius, height, width } = args;
  for (let row = 0; row < height; row++) {
    const line = (away: number) => {
      const start = reflected(row + away, height) * width;
      return source.subarray(start, start + width);
    };
    target.set(blurLine(line, weights, radius), row * width);
  }
}

/** `blurRows` in JavaScript: all items of the range. */
export function blurRows(args: Omit<RowsArguments, 'firstRow'>): void {
  const { source, target, weights, radius, height, width, channels } = args;
  const pixels = width / channels;
  const padded = new Float32Array((pixels + 2 * radius) * channels);
  for (let row = 0; row < height; row++) {
    for (let at = -radius; at < pixels + radius; at++) {
      const from = row * width + reflected(at, pixels) * channels;
      for (let channel = 0; channel < channels; channel++) {
        padded[(radius + at) * channels + channel] = source[from + channel] as number;
      }
    }
    const line = (away: number) => {
      const start = (radius + away) * channels;
      return padded.subarray(start, start + width);
    };
    target.set(blurLine(line, weights, radius), row * width);
  }
}
