// One array of CUDA's is copied into another.
import { cuda } from '@array-interface/cuda';

export function prepare() {
  const [to, from] = [cuda.empty([2, 3], 'float32'), cuda.empty([2, 3], 'float32')];
  return () => cuda.copy(to, from);
}
