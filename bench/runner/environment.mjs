/**
 * The environment of a benchmark: all memory is on huge pages, which NumPy requests for its own
 * arrays. Benchmarks compare copies, not the pages that each library happens to get.
 */
export const environment = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1', ...process.env };
