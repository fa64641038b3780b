import { host } from '@array-interface/host';
import { PNG } from 'pngjs';

// node pngjs.mjs: the pixels of a PNG are an array, and pngjs encodes pixels of ours.
const png = new PNG({ width: 3, height: 2, fill: true });
const theirs = host.asArray(png.data, { shape: [2, 3, 4] }); // always RGBA
await host.fill(theirs.slice([null, 0, [0, 3]]), 200); // the first column, without its alpha
console.log(png.data.subarray(0, 8)); // <Buffer c8 c8 c8 00 00 00 00 00>

const ours = await host.array(theirs.flip(1));
const { buffer, byteOffset, byteLength } = await ours.asTypedArray();
png.data = Buffer.from(buffer, byteOffset, byteLength);
console.log(host.asArray(png.data).pointer === ours.pointer); // true
const decoded = PNG.sync.read(PNG.sync.write(png));
console.log(decoded.data.subarray(4, 12)); // <Buffer 00 00 00 00 c8 c8 c8 00>
