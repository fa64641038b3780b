import { host } from '@array-interface/host';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import sharp from 'sharp';

// node pipeline.mjs [PICTURE]: from sharp through `where` into ONNX Runtime, the background made grey.
const drawing = '<svg width="4" height="2"><rect width="2" height="2" fill="#f08000"/></svg>';
const picture = sharp(process.argv[2] ?? Buffer.from(drawing)).ensureAlpha();
const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
const pixels = host.asArray(data, { shape: [info.height, info.width, 4] }); // the memory of sharp

const planes = pixels.permuteDims([2, 0, 1]); // a view: red, green, blue, alpha
const opaque = await host.array(planes.slice([3]), { dtype: 'bool', casting: 'unsafe' });
const colours = await host.array(planes.slice([[0, 3]]), { dtype: 'float32' });
const input = await host.where(opaque, colours, 128);
console.log(await input.slice([0]).toNested()); // [ [ 240, 240, 128, 128 ], [ 240, 240, 128, 128 ] ]

// y = GlobalAveragePool(x), which takes the place of your model
const model = 'CAg6NAoZCgF4EgF5IhFHbG9iYWxBdmVyYWdlUG9vbBIBZ1oJCgF4EgQKAggBYgkKAXkSBAoCCAFCAhAN';
const session = await InferenceSession.create(Buffer.from(model, 'base64'));
const output = host.empty([1, 3, 1, 1], 'float32');
const x = new Tensor('float32', await input.asTypedArray(), [1, ...input.shape]);
const y = new Tensor('float32', await output.asTypedArray(), output.shape);
await session.run({ x }, { y }); // reads and writes our memory
console.log(host.asArray(y.data).pointer === output.pointer); // true
console.log(await output.reshape([3]).toNested()); // [ 184, 128, 64 ]
