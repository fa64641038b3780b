import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { host } from '@array-interface/host';

// Another process writes into the memory of this one.
if (process.send === undefined) {
  using row = await host.array([1, 2, 3], { dtype: 'int32', shareable: true });
  using ticket = host.share(row.slice([[1, 3]])); // plain data, good until it is disposed
  const child = fork(fileURLToPath(import.meta.url));
  child.send(ticket);
  await once(child, 'message'); // the order is ours
  console.log(await row.toNested()); // [ 1, 7, 7 ]
} else {
  const [ticket] = await once(process, 'message');
  using part = host.openShared(ticket);
  await host.fill(part, 7);
  process.send('filled');
  process.disconnect();
}
