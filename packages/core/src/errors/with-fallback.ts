/** Returns what `read` returns, or `otherwise` if it throws, as a proxy or a getter may. */
export function withFallback<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
