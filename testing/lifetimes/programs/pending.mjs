/** Starts work that nobody waits for, on queues of its own; what is needed for it is in `kept`. */
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
