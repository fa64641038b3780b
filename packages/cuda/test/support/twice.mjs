import { defineKernel } from '@array-interface/core/kernel';

/** Doubles each of `n` numbers, by way of shared memory. */
export const TWICE = `.version 7.0
.target sm_60
.address_size 64
.extern .shared .align 4 .b8 room[];
.visible .entry twice(.param .u64 at, .param .u32 n)
{
  .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<5>; .reg .f32 %f<3>;
  ld.param.u64 %d0, [at]; ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0; @%p ret;
  mul.wide.u32 %d1, %r4, 4; add.u64 %d2, %d0, %d1; ld.global.f32 %f0, [%d2];
  mov.u32 %r5, room; shl.b32 %r6, %r3, 2; add.u32 %r7, %r5, %r6;
  st.shared.f32 [%r7], %f0; ld.shared.f32 %f1, [%r7];
  add.rn.f32 %f2, %f1, %f1; st.global.f32 [%d2], %f2; ret;
}
`;

let made = 0;

/** The same as a kernel of its own at every call, whose code no other has: it is built anew. */
export function twice() {
  return defineKernel({
    name: 'twice',
    parameters: { at: { write: 'float32' }, n: 'uint32', room: { local: 'float32' } },
    code: { cuda: { ptx: `${TWICE}// ${made++}\n` } },
  });
}
