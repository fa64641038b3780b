/** A user and a group that this process is not. */
export const ANOTHER_USER = 12345;

/**
 * Whether these tests run, in which one machine has two users: only root can play both. Says on standard
 * error where they do not, so that nobody takes a run without them for a whole one.
 */
export function canPlayTwoUsers(tests: string): boolean {
  if (process.geteuid?.() === 0) return true;
  process.stderr.write(
    `not run: ${tests}: only root can play two users; run these tests as root\n`,
  );
  return false;
}
