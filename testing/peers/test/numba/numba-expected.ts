/** Modules of Numba's own tests that run on the simulator, and their expected outcomes. */
export interface NumbaSuite {
  readonly name: string;
  readonly modules: readonly string[];
  /** How many tests run; all of them pass but those named. */
  readonly tests: number;
  /** By the end of the test's name: the beginning of its outcome, and the reason. */
  readonly others: Readonly<Record<string, { readonly outcome: string; readonly why: string }>>;
  /** Tests that are not started, and why. */
  readonly without?: Readonly<Record<string, string>>;
}

const drivers = 'numba.cuda.tests.cudadrv';
const cupy = { outcome: 'error: ', why: 'needs CuPy, which this environment lacks' };

/** The one list: the run fails on any difference. */
export const numbaSuites: readonly NumbaSuite[] = [
  {
    name: 'test_cuda_array_interface',
    modules: ['numba.cuda.tests.cudapy.test_cuda_array_interface'],
    tests: 27,
    others: { test_fortran_contiguous: cupy },
  },
  {
    name: 'cudadrv',
    modules: [
      'test_cuda_memory',
      'test_cuda_ndarray',
      'test_cuda_array_slicing',
      'test_events',
      'test_host_alloc',
      'test_pinned',
      'test_context_stack',
      'test_cuda_devicerecord',
      'test_reset_device',
      'test_deallocations',
      'test_managed_alloc',
      'test_select_device',
      'test_cuda_auto_context',
      'test_array_attr',
      'test_emm_plugins',
      'test_detect',
    ].map((name) => `${drivers}.${name}`),
    tests: 183,
    others: {
      test_kernel_with_buffer: cupy,
      test_kernel_with_strided_memory_view: cupy,
      test_issue_6505: { outcome: 'skip: Requires PR #6367', why: "Numba's own skip" },
      test_managed_alloc_driver_oversubscribe: {
        outcome: 'skip: ',
        why: "Numba's own skip: it would take more memory than the device has",
      },
    },
  },
  {
    name: 'test_cuda_driver',
    modules: [`${drivers}.test_cuda_driver`],
    tests: 17,
    others: {},
    without: {
      [`${drivers}.test_cuda_driver.TestAcceleratedArchitecture.test_device_arch_specific`]:
        'NVRTC itself ends by SIGSEGV when it compiles relocatable code, with no driver call open',
    },
  },
];
