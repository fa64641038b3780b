#!/usr/bin/env node
// An application: it knows the backends and picks one at run time; the library knows none of them.
//   node bin/blur.js PHOTO OUT.png [--sigma 3] [--backend cuda|sycl|host]
import { parseArgs } from 'node:util';
import { cuda } from '@array-interface/cuda';
import { host } from '@array-interface/host';
import { sycl } from '@array-interface/sycl';
import sharp from 'sharp';
import { blur } from '../dist/index.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { backend: { type: 'string' }, sigma: { type: 'string', default: '3' } },
});
const [photo, out] = positionals;
if (out === undefined || positionals.length > 2) {
  console.error('usage: node bin/blur.js PHOTO OUT.png [--sigma 3] [--backend cuda|sycl|host]');
  process.exit(2);
}

const wanted = [cuda, sycl, host].filter(({ name }) => name === (values.backend ?? name));
const backend = wanted.find(({ availability }) => availability.available);
if (backend === undefined) {
  for (const { name, availability } of wanted) {
    console.error(`${name}: ${availability.reason}; ${availability.remedy}`);
  }
  console.error(
    `expected an available backend, got none of ${values.backend ?? 'cuda, sycl, host'}`,
  );
  process.exit(1);
}

const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true });
const { width, height, channels } = info;
const image = await backend.array(data, { shape: [height, width, channels], dtype: 'uint8' });
const blurred = await blur(image, { sigma: Number(values.sigma), backend });
// Conversion to a byte rounds down, so adding one half rounds to the nearest.
const pixels = (await backend.toTypedArray(blurred)).map((value) => value + 0.5);
for (const array of [image, blurred]) array[Symbol.dispose]();
await sharp(Uint8Array.from(pixels), { raw: { width, height, channels } }).png().toFile(out);
console.log(`${out}: ${width} x ${height}, blurred on ${backend.name}`);
