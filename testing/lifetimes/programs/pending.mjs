/** Starts work that nobody waits for, on new queues. Adds what the work needs to `kept`. */
export function pending(backend, kept, count = 20) {
  for (let i = 0; i < count; i++) {
    const queue = backend.createQueue();
    const array = backend.empty([1000, 30], 'float32', { queue });
    const target = backend.empty([30, 1000], 'float32');
    const waits = [
      backend.fill(array, i),
      backend.copy(target, array.permuteDims([1, 0]), { queue }),
      target.synchronize(),
    ];
    for (const wait of waits) wait.catch(() => {});
    kept.push(array, target, queue, backend.asArray(array));
  }
}
