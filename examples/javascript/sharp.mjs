import { host } from '@array-interface/host';
import sharp from 'sharp';

// node sharp.mjs: pixels that sharp decodes are an array, and sharp encodes pixels of ours.
const red = sharp({ create: { width: 3, height: 2, channels: 3, background: '#c80a14' } });
const { data, info } = await red.raw().toBuffer({ resolveWithObject: true });
const theirs = host.asArray(data, { shape: [info.height, info.width, info.channels] });
await host.fill(theirs.slice([null, null, 0]), 7); // the red of every pixel
console.log(data.subarray(0, 6)); // <Buffer 07 0a 14 07 0a 14>

const ours = await host.array(theirs.flip(2)); // BGR
const image = sharp(await ours.asTypedArray({ dtype: 'uint8' }), { raw: info });
console.log(host.asArray(image.options.input.buffer).pointer === ours.pointer); // true
console.log((await image.raw().toBuffer()).subarray(0, 3)); // <Buffer 14 0a 07>
