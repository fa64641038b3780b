import { isDeepStrictEqual } from 'node:util';
import {
  fromCudaArrayInterface,
  fromSyclUsmArrayInterface,
  toCudaArrayInterface,
  toSyclUsmArrayInterface,
} from '@array-interface/core';
import type { SyclArray } from '@array-interface/sycl';
import type { Findings } from './findings.js';
import type { Report } from './report.js';

/**
 * Exports an array of SYCL USM, converts its descriptor to a CUDA one and back, and prints it in
 * both units: elements, bytes, elements again. A converted dict is a claim about the same memory.
 */
export function roundTrip(array: SyclArray, findings: Findings, report: Report): void {
  const dict = array.__sycl_usm_array_interface__;
  report.dict('__sycl_usm_array_interface__', dict);
  const exported = fromSyclUsmArrayInterface(dict, { owner: array });
  report.descriptor(exported, {
    owner: 'the array that exported it',
    waited: 'nothing: its queue, in syclobj, orders whatever comes next',
  });
  const asCuda = toCudaArrayInterface(exported);
  report.dict('__cuda_array_interface__', asCuda);
  const converted = fromCudaArrayInterface(asCuda, { owner: array });
  const again = toSyclUsmArrayInterface(converted, { syclobj: dict.syclobj });
  report.dict('__sycl_usm_array_interface__', again);
  const result = fromSyclUsmArrayInterface(again, { owner: array });
  const same =
    result.pointer === exported.pointer &&
    isDeepStrictEqual(result.shape, exported.shape) &&
    isDeepStrictEqual(result.byteStrides, exported.byteStrides) &&
    isDeepStrictEqual(result.elementStrides, exported.elementStrides) &&
    result.dtype.typestr === exported.dtype.typestr &&
    result.readOnly === exported.readOnly;
  if (same) findings.agree('sycl -> cuda -> sycl, the descriptor');
  else findings.differ('sycl -> cuda -> sycl, the descriptor', 'its layout has changed');
}
