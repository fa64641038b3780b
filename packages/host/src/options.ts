import type { ArrayOptions, CopyOptions, EmptyOptions } from '@array-interface/core';

/** How a copy on the host casts, on which queue it runs, and on how many threads. */
export interface HostCopyOptions extends CopyOptions {
  /**
   * Most threads that work on the copy, with the calling thread: 1 to 1024. They end with the copy.
   * A copy uses at most one thread for each MiB that it writes, and gets by with fewer where the
   * system gives fewer. Default: the queue's.
   */
  readonly threads?: number;
}

/** Where new memory is allocated. */
export interface HostEmptyOptions extends EmptyOptions {
  /**
   * Whether `share` can give other processes tickets of the memory. It then lies in a file in memory,
   * which this process has open as long. Linux. Default: false.
   */
  readonly shareable?: boolean;
}

/** Where a copy into new memory goes, and on how many threads. */
export interface HostArrayOptions extends HostEmptyOptions, HostCopyOptions, ArrayOptions {}
