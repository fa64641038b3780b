/** A user and a group other than this process's. */
export const ANOTHER_USER = 12345;

/**
 * Whether tests with two users on one machine can run: only root can act as both. If not, says so
 * on standard error, so that nobody takes a run without them for a complete one.
 */
export function canPlayTwoUsers(tests: string): boolean {
  if (process.geteuid?.() === 0) return true;
  process.stderr.write(
    `not run: ${tests}: only root can play two users; run these tests as root\n`,
  );
  return false;
}
