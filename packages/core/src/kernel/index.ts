/** Kernels: functions over arrays. Every backend for which there is code runs them. */

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
  SizeParameter,
  StridedElements,
  StructParameter,
  WriteParameter,
} from './parameter.js';
export type { StructValue } from './struct-value.js';
