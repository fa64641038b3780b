// Opens the tickets that its parent sends, releases them, and reports that: MODULE NAME.
const [module, name] = process.argv.slice(2);
const { [name]: backend } = await import(module);

process.on('message', async (ticket) => {
  const array = backend.openShared(ticket);
  await array.synchronize();
  array[Symbol.dispose]();
  await backend.releaseCached?.();
  process.send('let go');
});
process.send('ready');
