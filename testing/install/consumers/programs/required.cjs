const { flip, fromProducer } = require('@array-interface/core');
const { host } = require('@array-interface/host');

async function main() {
  const dict = { version: 3, shape: [4, 6], typestr: '<f4', data: [4096, false] };
  const { byteStrides } = flip(fromProducer({ __cuda_array_interface__: dict }), 0);
  const row = await host.array([1, 2, 3], { dtype: 'float32' });
  console.log(...byteStrides, ...(await host.toTypedArray(row.flip(0))));
}

main();
