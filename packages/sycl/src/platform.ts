/**
 * Why dpctl's runtime cannot be had on this machine, and what to do; null where it can. dpctl and the
 * runtime have wheels for linux x64 with glibc only.
 */
export function whyNoRuntime(): { readonly reason: string; readonly remedy: string } | null {
  const { platform, arch } = process;
  const libc = platform !== 'linux' ? '' : hasGlibc() ? ' with glibc' : ' with musl';
  const here = `${platform} ${arch}${libc}`;
  const where = 'linux x64 with glibc';
  if (here === where) return null;
  return {
    reason: `dpctl's runtime exists for ${where} only, and this is ${here}`,
    remedy:
      'use the host or the CUDA backend here; who has built both dpctl and the SYCL addon names the ' +
      'libDPCTLSyclInterface.so in ARRAY_INTERFACE_DPCTL_LIBRARY',
  };
}

function hasGlibc(): boolean {
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  const before = report.excludeNetwork ?? false;
  report.excludeNetwork = true; // looking up the names of hosts could take seconds
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  report.excludeNetwork = before;
  return header.glibcVersionRuntime !== undefined;
}
