/** The text below the help of every command. */
export function footer(docs: string): string {
  return `
Exit status: 0 all fine, 1 something was refused, is missing or could not be set up,
2 the command was not understood or a file not read.
Docs: ${docs}`;
}

export const INPUT =
  'JSON, or what Python prints: one value, a list of them, or each on a line of its own; none or -: standard input';

export const PROGRAM = `
Examples:
  array-interface doctor
  array-interface inspect dicts.jsonl
  array-interface convert --to host dicts.jsonl
  array-interface explain-copy 480,640 C 4,1920

array-interface COMMAND --help says more about each.`;

export const DOCTOR = `
With --require, one line on standard error says what is missing, why, and what to do. A backend
without a device counts as missing.

Examples:
  array-interface doctor
  array-interface doctor --require host`;

export const PROTOCOLS = `
Protocols: cuda is __cuda_array_interface__ (CAI, the CUDA Array Interface), sycl is
__sycl_usm_array_interface__ (SUAI, for SYCL's unified shared memory), and host or numpy is
__array_interface__ (NumPy's).

A value is {"__cuda_array_interface__":{…}}, or only the dict in it, in JSON or as Python prints it:
{'shape': (2, 3), 'typestr': '<f4', 'data': (4096, False), 'stream': 1, 'version': 3}. A dict with a
stream, or of version 0 or 2, is CUDA's, and one with a syclobj is SYCL's. For others without their
attribute, --protocol says whose they are.
`;

export const INSPECT = `
Layouts are read, memory is not: a dict may come from another process or machine.
--readers shows which libraries read such a dict and such memory, not which processes can.
Refusals go to standard error with file, line and index; with --json they stay in the output.

Examples:
  array-interface inspect dicts.jsonl
  array-interface inspect --readers dicts.jsonl more.json
  python3 -c "print({'shape': (2,), 'typestr': '<f4', 'data': (64, False), 'version': 3})" | array-interface inspect --protocol numpy
  array-interface inspect --json dicts.jsonl > layouts.jsonl`;

export const CONVERT = `
Only the dict is rewritten: no memory moves, and an address stays valid only in its own process.
A CUDA dict may name a stream with pending work, as CuPy's do, which the other protocols cannot
express. Wait for the stream, then pass --settled. Masks and byte order are still refused.
Dicts go to standard output, refusals to standard error with file, line and index.

Examples:
  array-interface convert --to host dicts.jsonl > host.jsonl
  array-interface convert --to host --settled dicts.jsonl
  array-interface convert --to cuda --cuda-version 2 dicts.jsonl
  array-interface convert --to sycl --syclobj opencl:cpu:0 dicts.jsonl | array-interface inspect`;

export const EXPLAIN_COPY = `
A list may stand in brackets, [ ] or ( ), and may begin with a minus: -2560,4 is no option. C and F
are the strides of C and Fortran order, without gaps. The last line says whether the copy is fast,
why, and what would be faster: beside one memcpy of the larger side, for arrays larger than caches.

Examples:
  array-interface explain-copy 480,640 C F
  array-interface explain-copy 480,640 C -2560,4
  array-interface explain-copy 480,640 C 4,1920
  array-interface explain-copy 3,1080,1920 C 1,5760,3 --from uint8`;

export const SETUP_SYCL = `
It needs linux x64 with glibc, python3 with venv, 1.6 GB (2.4 GB while it is made) and a network
for 0.5 GB. If a runtime is found, it does nothing; with --here, only one in .sycl-runtime counts.
It resumes if it was interrupted.

The user's cache is $XDG_CACHE_HOME/array-interface, or ~/.cache/array-interface. Another version of
this package may create another runtime there; you can remove those that no project uses.

With --here it is .sycl-runtime in the folder of the nearest package.json, or in this one if there
is none. Programs that run there or below look there first. Keep .sycl-runtime out of git.

Examples:
  array-interface setup sycl
  array-interface setup sycl --here`;

export const CACHE = `
They lie in $XDG_CACHE_HOME/array-interface/sycl-kernels, or in ~/.cache/array-interface/sycl-kernels.
They take 256 MiB at most; the least recently used are removed. ARRAY_INTERFACE_KERNEL_CACHE=0 turns the cache off.

Examples:
  array-interface cache
  array-interface cache clear`;

export const KERNEL_BUILD = `
It needs clang 15 or newer and llvm-spirv of the same version; users of the module need neither.
For each kernel the module exports its name, its parameters and its code, as defineKernel takes them:
  __global const float *x   { read: 'float32' }
  __global float *x         { write: 'float32' }
  __local float *x          { local: 'float32' }
  __global float4 *x        { write: 'float32', align: 16 }
  uint x                    'uint32'
  struct S x                { struct: [['a', 'float32'], …] }
The same source, options and tools produce the same bytes.

Examples:
  array-interface kernel build src/blur.cl
  array-interface kernel build src/blur.cl --check
  array-interface kernel build src/blur.cl -D RADIUS=4 -I include
  array-interface kernel build src/blur.cl --clang clang-15 --llvm-spirv llvm-spirv-15`;
