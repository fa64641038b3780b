/** Lets timers and other events run, including aborts. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
