/** Throws the signal's reason if the signal is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/**
 * Rejects with the signal's reason as soon as it is aborted, otherwise settles as `work` does. An
 * abort ends the wait, not the work.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason);
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    const forget = () => signal.removeEventListener('abort', giveUp);
    work
      .then(resolve, reject)
      .then(forget)
      .catch(() => {}); // a signal that is not the engine's own
  });
}
