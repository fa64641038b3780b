/**
 * The environment of a benchmark: all memory on large pages, as NumPy asks for its own arrays. What is
 * compared are copies, not the pages that each library happens to get.
 */
export const environment = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1', ...process.env };
