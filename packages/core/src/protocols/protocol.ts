/** The interfaces: CUDA's, SYCL USM's, and NumPy's for memory of the host. */
export type Protocol = 'cuda' | 'sycl' | 'host';

/** The attribute under which a producer exposes each. */
export const ATTRIBUTES: Readonly<Record<Protocol, string>> = {
  cuda: '__cuda_array_interface__',
  sycl: '__sycl_usm_array_interface__',
  host: '__array_interface__',
};
