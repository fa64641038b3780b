/**
 * Files of tests by addon: of a missing library, of the interposer itself, of copies that the
 * contract also tests, of many processes that each end in another way, and of a flag of the loader
 * that the sanitizers refuse.
 */
export const LEFT_OUT = {
  host: ['transfer'],
  pages: [],
  cuda: ['contract-held.simulated', 'driver', 'entry-points', 'exit.simulated', 'transfer'],
  python: ['own-libraries'],
  sycl: [
    'availability',
    'exit',
    'find-library',
    'interposer',
    'kept-kernels',
    'many-elements',
    'why-no-device',
  ],
};

/**
 * Names of tests that count what thousands of repetitions leave behind: sanitizers report a leak
 * after the first.
 */
export const REPEATED = [
  'memory does not grow when',
  'keeps no memory',
  'leave nothing behind',
  'heaps flat',
  'heaps stay flat',
  'twenty thousand',
  'ten thousand',
];

/** Files of tests that ThreadSanitizer cannot run, because of the shells and Pythons that they start, or
 * of that flag. */
export const NOT_WITH_THREADS = [
  'availability',
  'find-python',
  'hostile-program',
  'own-libraries',
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

/** What the names of tests contain that a sanitized addon does not run, as regular expressions. */
export function leftOutNames(kind) {
  return process.env.ARRAY_INTERFACE_WHOLE === '1'
    ? NOT_BY_NAME[kind]
    : [...NOT_BY_NAME[kind], ...REPEATED];
}

/** The files of tests that the sanitized addon does not run, without their ending. */
export function leftOutFiles(name, kind) {
  if (kind === 'threads') return NOT_WITH_THREADS;
  return process.env.ARRAY_INTERFACE_WHOLE === '1' ? [] : LEFT_OUT[name];
}
