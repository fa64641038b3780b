import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { hasClang, Workshop } from './built.js';

// What the real compilers take and no device runs, each refused where it stands, with advice that is
// true. Skipped without them, which `npm test` reports.

const workshop = new Workshop();
afterAll(() => workshop[Symbol.dispose]());

/** The first line of the command's error output without the file's name, and its advice. */
async function refused(source: string, ...options: string[]): Promise<[string, string]> {
  const { status, stdout, stderr } = await workshop.build(source, ...options);
  expect([status, stdout], stderr).toEqual([1, '']);
  const [error = '', remedy = ''] = stderr.split('\n');
  return [error.replace(/^error: k\d+\.cl:/, ''), remedy];
}

const kernel = (body: string, parameters = 'global float *x, global double *d, global int *n') =>
  `kernel void k(${parameters}) { ${body} }`;

describe.runIf(hasClang)('a call of', () => {
  test.each([
    ['sin(x[0])', 'sin(float)', 'call native_sin if its precision suffices, or define'],
    [
      'sin(d[0])',
      'sin(double)',
      'call native_sin with a float if its precision suffices, or define',
    ],
    [
      'pow(x[0], x[1])',
      'pow(float, float)',
      'call native_powr if its precision suffices and the base',
    ],
    ['lgamma(x[0])', 'lgamma(float)', 'define one of your own under another name'],
    ['printf("%f", x[0])', 'printf', 'write what you want to see into an array, and read it after'],
    [
      'get_work_dim()',
      'get_work_dim()',
      'take the number of axes as a parameter: CUDA does not know',
    ],
  ])('%s has its place and its own advice', async (call, name, advice) => {
    const [error, remedy] = await refused(kernel(`\n  x[0] = ${call};`));
    expect(error).toBe(`2:10: expected a function that CUDA's code also has, got ${name}`);
    expect(remedy).toContain(`to fix it: ${advice}`);
  });

  test('a function in a header is refused there', async () => {
    mkdirSync(workshop.path('headers'), { recursive: true });
    writeFileSync(workshop.path('headers/own.h'), '\nfloat own(float x) { return tan(x); }\n');
    const source = `#include <own.h>\n${kernel('x[0] = own(x[1]);')}`;
    const { stderr } = await workshop.build(source, '-I', 'headers');
    expect(stderr).toMatch(
      /^error: headers\/own\.h:2:29: expected a function .*, got tan\(float\)\n/,
    );
  });

  test('each of several functions is refused', async () => {
    const { stderr } = await workshop.build(kernel('x[0] = sin(x[1]) + cos(x[2]);'));
    expect(stderr.match(/^error: k\d+\.cl:1:\d+: /gm)).toHaveLength(2);
    expect(stderr.match(/^to fix it: /gm)).toHaveLength(2);
  });

  test('a function without a definition', async () => {
    const [error, remedy] = await refused(`void mine(int n);\n${kernel('mine(3);')}`);
    expect(error).toMatch(/^2:\d+: expected a definition of mine, got only a declaration$/);
    expect(remedy).toContain('define it in this file');
  });
});

describe.runIf(hasClang)('refuses at its place', () => {
  test('inline assembly, before a compiler crashes over it', async () => {
    const { stderr } = await workshop.build(kernel('\n  __asm("nop");'));
    expect(stderr).toMatch(
      /^error: k\d+\.cl:2:3: expected OpenCL C, got inline assembly\nto fix it: .*\n$/,
    );
  });

  test('local variables that no GPU has room for', async () => {
    const body =
      '\n  local float tile[12289]; tile[get_local_id(0)] = x[0]; barrier(1); x[1] = tile[3];';
    const [error, remedy] = await refused(kernel(body));
    expect(error).toBe('2:15: expected at most 49152 bytes of local variables in k, got 49156');
    expect(remedy).toContain('take the memory as a __local parameter');
    const { status } = await workshop.build(kernel(body.replace('12289', '12288')));
    expect(status).toBe(0);
  });

  test.each(['32, 32, 2', '1, 1, 65', '1025, 1, 1'])('groups of %s', async (sizes) => {
    const source = (group: string) =>
      `__attribute__((reqd_work_group_size(${group})))\n${kernel('x[0] = 1;')}`;
    const [error, remedy] = await refused(source(sizes));
    expect(error).toBe(
      `2:13: expected groups of at most 1024 items in k, and of 64 along z, got ${sizes.replaceAll(',', ' ×')}`,
    );
    expect(remedy).toContain('require a smaller group');
    const { status } = await workshop.build(source('16, 1, 64'));
    expect(status).toBe(0);
  });

  test.each([
    ['local variables', 'local float t[4]; t[0] = x[0]; barrier(1); x[1] = t[0];', ''],
    ['other groups', 'x[0] = 1;', '__attribute__((reqd_work_group_size(8, 1, 1))) '],
  ])('a call of a kernel with %s', async (_, body, attribute) => {
    const one = `${attribute}kernel void one(global float *x) { ${body} }`;
    const [error, remedy] = await refused(`${one}\n${kernel('one(x);')}`);
    expect(error).toMatch(
      /^2:\d+: expected a call of a function, got one of the kernel one, which /,
    );
    expect(remedy).toContain('move what both do into a function');
  });

  test.each([
    [
      'a union',
      'struct S { int a; union { int b; float c; } u; };',
      's of k: expected a struct',
      '(u)',
    ],
    ['a vector', 'typedef float4 S; struct T { S s; };', 's of k: expected a number', 'got S'],
  ])('%s by value', async (_, types, what, got) => {
    const type = types.startsWith('typedef') ? 'S' : 'struct S';
    const [error] = await refused(`${types}\n${kernel('x[0] = 1;', `global float *x, ${type} s`)}`);
    expect(error).toMatch(/^[12]:\d+: parameter /);
    expect(error).toContain(what);
    expect(error).toContain(got);
  });
});

describe.runIf(hasClang)('-D and -I', () => {
  test('reach the preprocessor, and the module says which macros', async () => {
    const source = kernel('x[0] = N;', 'global float *x');
    expect((await workshop.build(source)).status).toBe(1);
    const { module, status } = await workshop.build(source, '-D', 'N=4', '-DM');
    expect(status).toBe(0);
    expect(workshop.text(module)).toContain('// With -D "N=4" -D "M".\n');
  });

  test.each([
    '"; touch owned; "',
    '$(touch owned)',
    '`touch owned`',
    "'; touch owned; '",
    '*/ globalThis.owned = 1;',
    `\${globalThis.owned = 1}`,
    '-include /etc/passwd',
  ])('of a value %s run nothing', async (value) => {
    const { module, status, stderr } = await workshop.build(kernel('x[0] = 1;'), `-DN=${value}`);
    expect([status, stderr]).toEqual([0, '']);
    expect(workshop.text(module)).toContain(`// With -D ${JSON.stringify(`N=${value}`)}.\n`);
    const made = (await import(/* @vite-ignore */ `file://${module}`)) as object;
    expect(Object.keys(made)).toEqual(['k']);
    expect(globalThis).not.toHaveProperty('owned');
  });

  test.each([
    ['-D', 'N=1\n#include "/etc/passwd"'],
    ['-D', '-N'],
    ['-D', '1N'],
    ['-D', ''],
    ['-I', 'no-such-folder'],
    ['-I', 'k0.cl'],
  ])('%s %j is refused', async (option, value) => {
    const { status, stderr } = await workshop.build(kernel('x[0] = 1;'), option, value);
    expect(status).toBe(1);
    expect(stderr).toMatch(/expected -[DI] /);
  });
});
