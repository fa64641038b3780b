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

/** A consumer on one line. */
type Row = readonly [
  name: string,
  version: string,
  by: string,
  protocol: Consumer['protocol'],
  known: Consumer['known'],
  needs: readonly Rule[],
  overlooks: readonly Rule[],
];

// biome-ignore format: a table
const ROWS: readonly Row[] = [
  ['NumPy', '2.4.6', 'asarray', 'host', 'run', ['countable', 'paddingNames'], ['noMask']],
  ['Numba', '0.30.4', 'cuda.as_cuda_array', 'cuda', 'run', ['noMask', 'someBytes'], ['writable', 'noFields']],
  ['CuPy', 'main, August 2026', 'asarray', 'cuda', 'source', ['noMask', 'nativeByteOrder', 'numbersDatesOrRecords'], ['writable', 'nativeFields']],
  ['PyTorch', '2.15', 'as_tensor', 'cuda', 'source', ['numbers', 'wholeElements', 'writable'], ['noMask', 'noStream', 'nativeByteOrder', 'forward']],
  ['JAX', '0.10.2', 'numpy.asarray', 'cuda', 'run', ['numbers', 'version2', 'permuted'], ['noMask', 'noDefaultStream', 'nativeByteOrder']],
  ['PyArrow', '26.0.1', 'cuda.Context.buffer_from_object', 'cuda', 'run', ['dense'], ['noMask', 'noStream', 'writable']],
  ['mpi4py', '4.1.2', 'a buffer to send', 'cuda', 'run', ['noUnit', 'nativeByteOrder', 'noMask', 'cOrFortranOrder', 'textInCOrder'], ['noStream', 'noFields', 'noText']],
  ['PyCUDA', '2026.1', 'an argument of a kernel', 'cuda', 'run', [], ['noMask', 'noStream', 'writable', 'nativeByteOrder', 'cOrder']],
  ['DALI', 'main, August 2026', 'TensorGPU', 'cuda', 'source', ['noMask', 'cOrder', 'realNumbers'], ['writable']],
  ['cuDF', 'main, August 2026', 'Series', 'cuda', 'source', ['nativeByteOrder', 'someAxis', 'columnOfNumbers'], ['noStream', 'writable']],
  ['RMM', 'main, August 2026', 'DeviceBuffer.copy_from_device', 'cuda', 'source', ['oneAxis', 'cOrder'], ['noMask', 'noStream']],
  ['cuda.core', '1.2.2', 'StridedMemoryView.from_cuda_array_interface', 'cuda', 'run', ['version3', 'noMask', 'someBytes', 'wholeElements'], ['noFields']],
  ['dpctl', '0.22.1', 'memory.as_usm_memory', 'sycl', 'run', [], ['writable']],
  ['dpnp', '0.20.0', 'tensor.asarray', 'sycl', 'run', ['forward'], []],
  // It requests DLPack 0.x, which cannot mark an array as read-only.
  ['JAX on the CPU', '0.10.2', 'numpy.from_dlpack', 'dlpack', 'run', ['writable', 'numbersOrSmallFloats', 'permuted'], ['aligned64', 'within32Bits']],
  // Negative strides end the process.
  ['PyTorch on the CPU', '2.13.0', 'from_dlpack', 'dlpack', 'source', ['numbersOfPyTorch', 'forward'], ['writable']],
  ['PyArrow on the CPU', '26.0.1', 'py_buffer', 'buffer', 'run', ['cOrFortranOrder'], []],
  ['mpi4py on the CPU', '4.1.2', 'a buffer to send', 'buffer', 'run', ['nativeByteOrder', 'numbersButComplex32', 'cOrFortranOrder'], []],
];

/**
 * What each consumer accepts of what core writes. `npm run test:peers` compares the lines with
 * `run` to the libraries.
 */
export const CONSUMERS: readonly Consumer[] = ROWS.map(
  ([name, version, by, protocol, known, needs, overlooks]) => ({
    name,
    version,
    by,
    protocol,
    needs,
    overlooks,
    known,
  }),
);
