import type { Protocol } from '../protocols/protocol.js';
import type { Rule } from './rules.js';

/** One library that reads an interface, and what it requires of an array. */
export interface Consumer {
  /** Name of the library. */
  readonly name: string;
  /** The version that was examined. */
  readonly version: string;
  /** The function that reads the interface. */
  readonly by: string;
  /**
   * The interface that it reads. `dlpack` and `buffer` are for CPU memory that Python has in its
   * own process: DLPack, and Python's buffers. For `buffer`, a consumer may request DLPack if there
   * is no buffer.
   */
  readonly protocol: Protocol | 'dlpack' | 'buffer';
  /**
   * Rules that an array must satisfy to be accepted. The consumer rejects it by the first that it
   * breaks.
   */
  readonly needs: readonly Rule[];
  /**
   * Rules that the consumer does not check. It accepts an array that breaks them, and reads it
   * incorrectly or copies it.
   */
  readonly overlooks: readonly Rule[];
  /**
   * `run`: tested against the library itself repeatedly; `source`: read in its source, or tried
   * once.
   */
  readonly known: 'run' | 'source';
}

/**
 * What each consumer accepts of what core writes. `npm run test:peers` compares the lines with
 * `run` to the libraries.
 */
export const CONSUMERS: readonly Consumer[] = [
  {
    name: 'NumPy',
    version: '2.4.6',
    by: 'asarray',
    protocol: 'host',
    needs: ['countable', 'paddingNames'],
    overlooks: ['noMask'],
    known: 'run',
  },
  {
    name: 'Numba',
    version: '0.30.4',
    by: 'cuda.as_cuda_array',
    protocol: 'cuda',
    needs: ['noMask', 'someBytes'],
    overlooks: ['writable', 'noFields'],
    known: 'run',
  },
  {
    name: 'CuPy',
    version: 'main, August 2026',
    by: 'asarray',
    protocol: 'cuda',
    needs: ['noMask', 'nativeByteOrder', 'numbersDatesOrRecords'],
    overlooks: ['writable', 'nativeFields'],
    known: 'source',
  },
  {
    name: 'PyTorch',
    version: '2.15',
    by: 'as_tensor',
    protocol: 'cuda',
    needs: ['numbers', 'wholeElements', 'writable'],
    overlooks: ['noMask', 'noStream', 'nativeByteOrder', 'forward'],
    known: 'source',
  },
  {
    name: 'JAX',
    version: '0.10.2',
    by: 'numpy.asarray',
    protocol: 'cuda',
    needs: ['numbers', 'version2', 'permuted'],
    overlooks: ['noMask', 'noDefaultStream', 'nativeByteOrder'],
    known: 'run',
  },
  {
    name: 'PyArrow',
    version: '26.0.1',
    by: 'cuda.Context.buffer_from_object',
    protocol: 'cuda',
    needs: ['dense'],
    overlooks: ['noMask', 'noStream', 'writable'],
    known: 'run',
  },
  {
    name: 'mpi4py',
    version: '4.1.2',
    by: 'a buffer to send',
    protocol: 'cuda',
    needs: ['noUnit', 'nativeByteOrder', 'noMask', 'cOrFortranOrder', 'textInCOrder'],
    overlooks: ['noStream', 'noFields', 'noText'],
    known: 'run',
  },
  {
    name: 'PyCUDA',
    version: '2026.1',
    by: 'an argument of a kernel',
    protocol: 'cuda',
    needs: [],
    overlooks: ['noMask', 'noStream', 'writable', 'nativeByteOrder', 'cOrder'],
    known: 'run',
  },
  {
    name: 'DALI',
    version: 'main, August 2026',
    by: 'TensorGPU',
    protocol: 'cuda',
    needs: ['noMask', 'cOrder', 'realNumbers'],
    overlooks: ['writable'],
    known: 'source',
  },
  {
    name: 'cuDF',
    version: 'main, August 2026',
    by: 'Series',
    protocol: 'cuda',
    needs: ['nativeByteOrder', 'someAxis', 'columnOfNumbers'],
    overlooks: ['noStream', 'writable'],
    known: 'source',
  },
  {
    name: 'RMM',
    version: 'main, August 2026',
    by: 'DeviceBuffer.copy_from_device',
    protocol: 'cuda',
    needs: ['oneAxis', 'cOrder'],
    overlooks: ['noMask', 'noStream'],
    known: 'source',
  },
  {
    name: 'cuda.core',
    version: '1.2.2',
    by: 'StridedMemoryView.from_cuda_array_interface',
    protocol: 'cuda',
    needs: ['version3', 'noMask', 'someBytes', 'wholeElements'],
    overlooks: ['noFields'],
    known: 'run',
  },
  {
    name: 'dpctl',
    version: '0.22.1',
    by: 'memory.as_usm_memory',
    protocol: 'sycl',
    needs: [],
    overlooks: ['writable'],
    known: 'run',
  },
  {
    name: 'dpnp',
    version: '0.20.0',
    by: 'tensor.asarray',
    protocol: 'sycl',
    needs: ['forward'],
    overlooks: [],
    known: 'run',
  },
  {
    name: 'JAX on the CPU',
    version: '0.10.2',
    by: 'numpy.from_dlpack',
    protocol: 'dlpack',
    // It requests DLPack 0.x, which cannot mark an array as read-only.
    needs: ['writable', 'numbersOrSmallFloats', 'permuted'],
    overlooks: ['aligned64', 'within32Bits'],
    known: 'run',
  },
  {
    name: 'PyTorch on the CPU',
    version: '2.13.0',
    by: 'from_dlpack',
    protocol: 'dlpack',
    // Negative strides end the process.
    needs: ['numbersOfPyTorch', 'forward'],
    overlooks: ['writable'],
    known: 'source',
  },
  {
    name: 'PyArrow on the CPU',
    version: '26.0.1',
    by: 'py_buffer',
    protocol: 'buffer',
    needs: ['cOrFortranOrder'],
    overlooks: [],
    known: 'run',
  },
  {
    name: 'mpi4py on the CPU',
    version: '4.1.2',
    by: 'a buffer to send',
    protocol: 'buffer',
    needs: ['nativeByteOrder', 'numbersButComplex32', 'cOrFortranOrder'],
    overlooks: [],
    known: 'run',
  },
];
