/**
 * Files of tests by addon: of a missing library, of the interposer itself, and of copies that the
 * contract also tests.
 */
export const LEFT_OUT = {
  host: ['transfer'],
  pages: [],
  cuda: ['contract-held.simulated', 'driver', 'entry-points', 'transfer'],
  python: [],
  sycl: ['availability', 'find-library', 'many-elements', 'interposer', 'why-no-device'],
};

/** Files of tests that ThreadSanitizer cannot run, because of the shells and Pythons that they start. */
export const NOT_WITH_THREADS = [
  'availability',
  'find-python',
  'hostile-program',
  'start',
  'streams',
];

/**
 * Names of tests that hit limits of a sanitizer itself (GCC 12).
 *
 * To inspect an object's class, UndefinedBehaviorSanitizer opens a pipe.
 *
 * ThreadSanitizer's calls leave no room to find the end of a stack. Its __cxa_atexit drops the
 * argument if no library is named. It delays a signal while uninstrumented code waits, so that
 * SIGTERM, which Node handles, does not end a fork of the process. It needs as much memory for
 * itself as a test leaves.
 */
export const NOT_BY_NAME = {
  addresses: ['no more files'],
  threads: [
    'infinite recursion',
    'a library may drop objects',
    'works by fork',
    'if no thread can start',
  ],
};

/** The files of tests that the sanitized addon does not run, without their ending. */
export function leftOutFiles(name, kind) {
  if (kind === 'threads') return NOT_WITH_THREADS;
  return process.env.ARRAY_INTERFACE_WHOLE === '1' ? [] : LEFT_OUT[name];
}
