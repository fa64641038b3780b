/** Calls back in the event loop's next turn, as `setImmediate` does, which browsers lack. */
export function onNextTurn(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.addEventListener('message', () => {
    port1.close();
    callback();
  });
  port1.start();
  port2.postMessage(undefined);
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => onNextTurn(resolve));
}
