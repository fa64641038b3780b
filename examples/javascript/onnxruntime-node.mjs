import { host } from '@array-interface/host';
import { InferenceSession, Tensor } from 'onnxruntime-node';

// node onnxruntime-node.mjs: a model reads an array of ours and writes into another.
const model = 'CAg6KQoOCgF4CgF4EgF5IgNBZGQSAWdaCQoBeBIECgIIAWIJCgF5EgQKAggBQgIQDQ=='; // y = x + x
const session = await InferenceSession.create(Buffer.from(model, 'base64'));
const over = async (array) => new Tensor('float32', await array.asTypedArray(), array.shape);
const ours = (await host.arange(1, 7, { dtype: 'float32' })).reshape([2, 3]);
const doubled = host.empty([2, 3], 'float32');
const [x, y] = [await over(ours), await over(doubled)];
await session.run({ x }, { y }); // what it returns is a copy, which nobody needs here
console.log(host.asArray(y.data).pointer === doubled.pointer); // true
console.log(await doubled.toNested()); // [ [ 2, 4, 6 ], [ 8, 10, 12 ] ]

const { y: made } = await session.run({ x: y }); // into memory of its own
const theirs = host.asArray(made.data, { shape: made.dims });
console.log(await theirs.slice([0]).toNested()); // [ 4, 8, 12 ]
