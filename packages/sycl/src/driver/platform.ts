import { cLibrary } from '@array-interface/core/backend';

/**
 * Returns why dpctl's runtime is not available for this platform, and what to do. Null if it is.
 * dpctl and the runtime have wheels only for Linux on x64 with glibc.
 */
export function whyNoRuntime(): { readonly reason: string; readonly remedy: string } | null {
  const { platform, arch } = process;
  const here =
    platform === 'linux' ? `linux ${arch} with ${cLibraryName()}` : `${platform} ${arch}`;
  const where = 'linux x64 with glibc';
  if (here === where) return null;
  return {
    reason: `dpctl's runtime exists for ${where} only, but this is ${here}`,
    remedy:
      'use the host or the CUDA backend here; if you have built both dpctl and the SYCL addon, name ' +
      'libDPCTLSyclInterface.so in ARRAY_INTERFACE_DPCTL_LIBRARY',
  };
}

function cLibraryName(): string {
  return cLibrary(process) === 'gnu' ? 'glibc' : 'musl';
}
