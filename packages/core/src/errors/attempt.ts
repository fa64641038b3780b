/** What `read` gives, or `otherwise` where it throws, as what a proxy or a getter does may. */
export function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
