import { flip, makeDescriptor, slice } from '@array-interface/core';

// In a page: the pixels of an ImageData as an array, with core alone.
const image = new ImageData(3, 2);
const { buffer } = image.data;
const pixels = makeDescriptor({ pointer: 0, buffer, shape: [2, 3, 4], dtype: 'uint8' });
const alpha = slice(flip(pixels, 1), [null, 0, 3]); // that of the last column
for (let row = 0; row < 2; row++) {
  image.data[Number(alpha.pointer) + row * alpha.byteStrides[0]] = 255;
}
console.log(image.data.join(' ')); // 0 0 0 0 0 0 0 0 0 0 0 255 0 0 0 0 0 0 0 0 0 0 0 255

const ours = new Uint8ClampedArray(2 * 3 * 4);
console.log(new ImageData(ours, 3).data.buffer === ours.buffer); // true
