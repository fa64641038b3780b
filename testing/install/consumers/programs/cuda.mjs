import { cuda } from '@array-interface/cuda';

async function main() {
  const row = await cuda.array([1, 2, 3], { dtype: 'float32' });
  console.log([...(await cuda.toTypedArray(row.flip(0)))].join(' '));
}

main();
