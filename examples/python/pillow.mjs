import { host } from '@array-interface/host';
import { startPython } from '@array-interface/python';

// node pillow.mjs VENV: an image over our memory, blurred by Pillow, as our array.
const python = startPython({ venv: process.argv[2] });
const image = python.import('PIL.Image');

const ours = host.empty([8, 8, 3], 'uint8');
await host.fill(ours, 0);
await host.fill(ours.slice([[4, 8]]), 255);
const picture = image.callMethod('fromarray', [python.toPython(ours)]);
console.log(picture.get('mode'), picture.get('size').toJS()); // RGB [ 8, 8 ]
const blurred = picture.callMethod('filter', [
  python.import('PIL.ImageFilter').callMethod('BoxBlur', [1]),
]);
const theirs = host.asArray(blurred); // by __array_interface__
console.log(theirs.shape, await host.toTypedArray(theirs.slice([[2, 6], 0, 0]))); // [ 8, 8, 3 ] Uint8Array(4) [ 0, 85, 170, 255 ]
