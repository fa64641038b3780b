// A worker of node:cluster that opens the tickets it is sent, for share.test.ts.
import { cuda } from '@array-interface/cuda';

process.on('message', async (ticket) => {
  const array = cuda.openShared(ticket);
  const values = [...(await cuda.toTypedArray(array))];
  await cuda.fill(array, 9);
  array[Symbol.dispose]();
  process.send(values);
});

process.send('ready');
