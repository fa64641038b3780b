import { host } from '@array-interface/host';
import { Tensor } from '@huggingface/transformers';

// node transformers.mjs: a Tensor computes in our memory, and the elements of a Tensor are an array.
const ours = (await host.arange(1, 7, { dtype: 'float32' })).reshape([2, 3]);
const elements = await ours.asTypedArray({ dtype: 'float32' });
const tensor = new Tensor('float32', elements, [...ours.shape]);
console.log(host.asArray(tensor.data).pointer === ours.pointer); // true
tensor.mul_(2); // in place
console.log(await ours.toNested()); // [ [ 2, 4, 6 ], [ 8, 10, 12 ] ]

const mean = tensor.mean(1);
const theirs = host.asArray(mean.data, { shape: mean.dims });
await host.fill(theirs.slice([0]), 0);
console.log(mean.tolist()); // [ 0, 10 ]
