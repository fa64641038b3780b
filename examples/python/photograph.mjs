import { makeDescriptor } from '@array-interface/core';
import { startPython } from '@array-interface/python';
import { sycl } from '@array-interface/sycl';
import sharp from 'sharp';

// node photograph.mjs VENV PHOTO OUT.png: Node cuts the middle out of a photograph, dpnp inverts it on the SYCL
// device, and Node reads the result in place.
const [venv, photo, out] = process.argv.slice(2);
const python = startPython({ venv });
const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true });
const { height, width } = info;

const { buffer, byteOffset } = data;
const shape = [height, width, 3];
const decoded = makeDescriptor({
  pointer: BigInt(byteOffset),
  shape,
  dtype: 'uint8',
  buffer,
  owner: data,
});
const image = sycl.empty(shape, 'uint8', { memoryKind: 'shared' });
await sycl.copy(image, decoded);
const [top, left] = [height >> 2, width >> 2];
const crop = image.slice([
  [top, height - top],
  [left, width - left],
]);

const [dpnp, tensor] = ['dpnp', 'dpnp.tensor'].map((name) => python.import(name));
const same = tensor.callMethod('asarray', [python.toPython(crop)], { copy: false });
const seen = dpnp.callMethod('asarray', [same]);
dpnp.callMethod('subtract', [255, seen], { out: seen });

const pixels = await image.asTypedArray(); // over the device's memory, without a copy
const isInside = (row, column) =>
  row >= top && row < height - top && column >= left && column < width - left;
const wrong = pixels.findIndex((value, i) => {
  const pixel = Math.floor(i / 3);
  const inverted = isInside(Math.floor(pixel / width), pixel % width);
  return value !== (inverted ? 255 - data[i] : data[i]);
});
console.log(wrong); // -1
console.log(BigInt(same.get('_pointer')) === crop.pointer); // true
await sharp(pixels, { raw: { width, height, channels: 3 } }).toFile(out);
