/** What of Node's `process` tells of the C library. Its own type lacks the first of these. */
interface Report {
  excludeNetwork?: boolean;
  getReport(): { readonly header: { readonly glibcVersionRuntime?: string } };
}

/**
 * The C library of a process on Linux, as packages of binaries are named after it. Node takes some
 * milliseconds to say it.
 */
export function cLibrary(process: { readonly report: object }): 'gnu' | 'musl' {
  const report = process.report as Report;
  const before = report.excludeNetwork ?? false;
  report.excludeNetwork = true; // looking up the names of hosts could take seconds
  const { header } = report.getReport();
  report.excludeNetwork = before;
  return header.glibcVersionRuntime === undefined ? 'musl' : 'gnu';
}
