/** Kernels: functions over arrays that every backend runs for which there is code. */

export { defineKernel } from './define-kernel.js';
export type { CudaCode, HostCode, Kernel, KernelCode, SyclCode } from './kernel.js';
export type {
  FirstParameter,
  HostArguments,
  KernelArguments,
  LocalParameter,
  NumberName,
  Parameter,
  Parameters,
  ReadParameter,
  StridedElements,
  WriteParameter,
} from './parameter.js';
