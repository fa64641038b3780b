// A kernel that is built already is launched.
import { defineKernel } from '@array-interface/core/kernel';
import { cuda } from '@array-interface/cuda';

const ptx = `.version 6.0
.target sm_30
.address_size 64
.visible .entry fill(.param .u64 into)
{
  .reg .u64 %address;
  .reg .u32 %value;
  ld.param.u64 %address, [into];
  mov.u32 %value, 7;
  st.global.u32 [%address], %value;
  ret;
}
`;
const kernel = defineKernel({
  name: 'fill',
  parameters: { into: { write: 'uint32' } },
  code: { cuda: { ptx } },
});

export async function prepare() {
  const into = cuda.empty([1], 'uint32');
  await cuda.launch(kernel, { range: [1] }, { into });
  return () => cuda.launch(kernel, { range: [1] }, { into });
}
