/** Lets timers and other events run, an abort among them. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
