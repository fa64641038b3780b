import { host } from '@array-interface/host';

async function main() {
  const row = await host.array([1, 2, 3], { dtype: 'float32' });
  console.log([...(await host.toTypedArray(row.flip(0)))].join(' '));
}

main();
