import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { run } from '../support/run-command.js';
import { argumentsOf, CLANG_15, fakeTool, LLVM_SPIRV_15 } from './fake-tools.js';
import { clear, scale } from './scale.kernel.js';

// The compilers are stand-ins that give what the real ones gave: few machines have those. That they
// still give it, scripts/check/kernels.mjs looks.
const here = fileURLToPath(new URL('.', import.meta.url));
const golden = readFileSync(path.join(here, 'scale.kernel.ts'), 'utf8');

let cwd = '';
let tools = '';
beforeEach(() => {
  cwd = mkdtempSync(path.join(tmpdir(), 'kernel-build-'));
  tools = path.join(cwd, 'tools');
  mkdirSync(tools);
  for (const file of ['scale.cl', 'number.h']) cpSync(path.join(here, file), path.join(cwd, file));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const build = (...args: string[]) =>
  run(['kernel', 'build', ...args], '', { cwd, env: { PATH: tools } });
const inCwd = (file: string) => path.join(cwd, file);
const read = (file: string) => readFileSync(inCwd(file));

function installTools(): void {
  fakeTool(tools, 'clang-15', CLANG_15);
  fakeTool(tools, 'llvm-spirv-15', LLVM_SPIRV_15);
}

function changeSource(change: (text: string) => string): void {
  writeFileSync(inCwd('scale.cl'), change(read('scale.cl').toString()));
}

describe('kernel build', () => {
  test('makes a module, the same each time', async () => {
    installTools();
    expect(await build('scale.cl')).toEqual({
      status: 0,
      stdout: 'wrote scale.kernel.ts\n',
      stderr: '',
    });
    expect(read('scale.kernel.ts').toString()).toBe(golden);
  });

  // What the real ones then make, scripts/check/kernels.mjs looks.
  test.each([
    ['off', []],
    ['fast', ['--contract']],
  ] as const)('tells every compiler how to round: contraction %s', async (contract, options) => {
    installTools();
    expect(await build('scale.cl', ...options)).toMatchObject({ status: 0 });
    const flags = ['-cl-fp32-correctly-rounded-divide-sqrt', `-ffp-contract=${contract}`];
    const compiled = argumentsOf(tools, 'clang-15');
    expect(compiled.length).toBeGreaterThan(2); // for both kinds of code
    for (const args of compiled) expect(args).toEqual(expect.arrayContaining(flags));
    for (const args of argumentsOf(tools, 'llvm-spirv-15')) {
      expect(args).toContain(`--spirv-fp-contract=${contract}`);
    }
  });

  test('makes the same module from another folder', async () => {
    installTools();
    mkdirSync(inCwd('src'));
    for (const file of ['scale.cl', 'number.h']) cpSync(inCwd(file), inCwd(`src/${file}`));
    expect(await build('src/scale.cl')).toMatchObject({ status: 0 });
    expect(read('src/scale.kernel.ts').toString()).toBe(golden);
  });

  test('names its files in one order, whichever the source includes them in', async () => {
    installTools();
    for (const name of ['b.h', 'a.h']) writeFileSync(inCwd(name), '');
    changeSource((text) => `#include "b.h"\n#include "a.h"\n${text}`);
    await build('scale.cl');
    expect(read('scale.kernel.ts').toString()).toContain('of scale.cl, a.h, b.h, number.h: ');
  });

  test('contains PTX unchanged, whatever it contains', async () => {
    const text = `// \` \\\` \${owned()} \\\${owned()} \\n \\u0041 '"`;
    fakeTool(tools, 'llvm-spirv-15', LLVM_SPIRV_15);
    fakeTool(tools, 'clang-15', CLANG_15, ['ptx', '.visible', `\n${text}\n.visible`]);
    expect(await build('scale.cl')).toMatchObject({ status: 0 });
    const [, literal] = /^const PTX = ([\s\S]*?);\n\nconst SPIRV/m.exec(
      read('scale.kernel.ts').toString(),
    ) as unknown as [string, string];
    expect(runInNewContext(literal)).toContain(`\n${text}\n`);
  });

  test('writes plain files and a module of another name', async () => {
    installTools();
    const { stdout } = await build('scale.cl', '--plain', '--out', 'other.ts');
    expect(stdout).toBe('wrote other.ts, scale.ptx, scale.spv\n');
    expect(read('other.ts').toString()).toBe(golden);
    expect(read('scale.ptx').toString()).toBe(scale.code.cuda.ptx);
    expect(read('scale.spv')).toEqual(Buffer.from(scale.code.sycl.spirv));
    expect(existsSync(inCwd('scale.kernel.ts'))).toBe(false);
  });

  test('shows a warning once', async () => {
    installTools();
    changeSource((text) => `// odd\n${text}`);
    expect(await build('scale.cl')).toMatchObject({
      status: 0,
      stderr: 'scale.cl:2:1: warning: odd\n',
    });
  });

  test("shows the compiler's own refusal with its line", async () => {
    installTools();
    changeSource(() => 'kernel wrong x;');
    expect(await build('scale.cl')).toEqual({
      status: 1,
      stdout: '',
      stderr:
        "scale.cl:1:7: error: unknown type name 'wrong'\n" +
        'error: scale.cl: clang-15 rejects it; see its output above\n',
    });
  });

  test('expects a file and a known kind of GPU', async () => {
    expect(await build('blur.cl')).toMatchObject({
      status: 2,
      stderr: 'error: blur.cl: expected a file, got nothing of that name\n',
    });
    const { status, stderr } = await build('scale.cl', '--sm', 'sm_1');
    expect(status).toBe(2);
    expect(stderr).toContain('Allowed choices are sm_30, ');
  });
});

describe('the module', () => {
  test('has the types of its parameters', () => {
    const source: { readonly read: 'float32' } = scale.parameters.source;
    const factor: 'float32' = scale.parameters.factor;
    expect([source, factor, Object.keys(clear.parameters)]).toEqual([
      { read: 'float32' },
      'float32',
      ['h', 'd', 's', 'l'],
    ]);
  });

  test('has PTX whose local parameter is dynamic shared memory', () => {
    const { ptx } = scale.code.cuda;
    expect(ptx).toMatch(
      /^\.extern \.shared \.align 16 \.b8 scale_shared\[\];\n\.visible \.entry scale\(/m,
    );
    expect(ptx).toMatch(/mov\.u64\s+%rd\d+, scale_shared;/);
    expect(ptx).not.toContain('scale_param_2');
    expect(ptx).toContain('scale_param_5');
  });

  test('has PTX whose rotations count modulo the width', () => {
    const { ptx } = scale.code.cuda;
    expect(ptx).toMatch(
      /and\.b32 \t%amt2, (%\w+), 63;\n\tshl\.b64 \t%lhs, %\w+, %amt2;\n\tsub\.u32 \t%amt2, 64, %amt2;/,
    );
    expect(readFileSync(path.join(here, 'recorded/ptx'), 'utf8')).not.toContain('and.b32 \t%amt2');
  });

  test('has SPIR-V', () => {
    const { spirv } = scale.code.sycl;
    expect(spirv).toBe(clear.code.sycl.spirv);
    expect(Buffer.from(spirv.buffer).readUInt32LE(0)).toBe(0x07230203);
  });
});

describe('kernel build --check', () => {
  test('accepts what the source compiles to', async () => {
    installTools();
    writeFileSync(inCwd('scale.kernel.ts'), golden);
    expect(await build('scale.cl', '--check')).toEqual({
      status: 0,
      stdout: 'the same: scale.kernel.ts\n',
      stderr: '',
    });
  });

  test.each([
    [
      'a module that is not there',
      null,
      'expected a file, got nothing of that name; build without',
    ],
    [
      'another module',
      golden.replace("count: 'uint32'", "count: 'int32'"),
      /^scale.kernel.ts: differs from what is made now, first in line \d+; build without --check\n$/,
    ],
    [
      'a module that other tools made',
      golden.replace('clang 15.0.6', 'clang 17.0.1'),
      '"With clang 17.0.1 and llvm-spirv 15.0.6.", got "With clang 15.0.6 and llvm-spirv 15.0.6."; name',
    ],
  ])('refuses %s', async (_, text, words) => {
    installTools();
    if (text !== null) writeFileSync(inCwd('scale.kernel.ts'), text);
    const { status, stdout, stderr } = await build('scale.cl', '--check');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(words);
    expect(existsSync(inCwd('scale.kernel.ts'))).toBe(text !== null);
  });

  test('finds a change of the source that leaves the code unchanged', async () => {
    installTools();
    writeFileSync(inCwd('scale.kernel.ts'), golden);
    writeFileSync(inCwd('number.h'), 'typedef float number; // one word more');
    const { stderr } = await build('scale.cl', '--check');
    expect(stderr).toContain('first in line 3;');
  });
});

describe('the tools', () => {
  test.each([
    ['nothing', [], 'got no clang and no llvm-spirv'],
    ['no llvm-spirv', [['clang-15', CLANG_15]], 'got clang 15.0.6 and no llvm-spirv'],
    ['no clang', [['llvm-spirv', LLVM_SPIRV_15]], 'got no clang and llvm-spirv 15.0.6'],
    [
      'two that do not fit',
      [
        ['clang-17', 'clang version 17.0.1'],
        ['llvm-spirv-15', LLVM_SPIRV_15],
      ],
      'got clang 17.0.1 and llvm-spirv 15.0.6',
    ],
    [
      'a clang that is too old',
      [
        ['clang-14', 'clang version 14.0.0'],
        ['llvm-spirv-14', 'LLVM version 14.0.0'],
      ],
      'got no clang and llvm-spirv 14.0.0',
    ],
    [
      "Apple's clang, which knows no GPU",
      [
        ['clang', 'Apple clang version 15.0.0 (clang-1500.3.9.4)'],
        ['llvm-spirv-15', LLVM_SPIRV_15],
      ],
      'got no clang and llvm-spirv 15.0.6',
    ],
  ] as const)('with %s: says what is missing, and how to get it', async (_, there, words) => {
    for (const [name, version] of there) fakeTool(tools, name, version);
    const { status, stdout, stderr } = await build('scale.cl');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`of the same version, ${words}\n`);
    expect(stderr).toContain('sudo apt install clang-15 llvm-spirv-15');
    expect(stderr).toContain('conda install -c conda-forge');
    expect(stderr).toContain('https://releases.llvm.org');
  });

  test('are the newest pair of one version', async () => {
    installTools();
    fakeTool(tools, 'clang-9', 'clang version 9.0.0');
    fakeTool(tools, 'clang-19', 'clang version 19.1.0');
    fakeTool(tools, 'clang', 'clang version 16.0.6');
    fakeTool(tools, 'llvm-spirv', 'LLVM version 16.0.0');
    expect(await build('scale.cl')).toMatchObject({ status: 0 });
    expect(read('scale.kernel.ts').toString()).toContain(
      'With clang 16.0.6 and llvm-spirv 16.0.0.',
    );
  });

  test.each([
    ['15.0.9', '15.0.10'],
    ['15.9.0', '15.10.0'],
    ['99.0.0', '100.0.0'],
  ])('%s is older than %s', async (older, newer) => {
    for (const [i, version] of [newer, older, newer, older].entries()) {
      fakeTool(tools, `clang-${i}`, `clang version ${version}`);
      fakeTool(tools, `llvm-spirv-${i}`, `LLVM version ${version}`);
    }
    expect(await build('scale.cl')).toMatchObject({ status: 0 });
    const text = read('scale.kernel.ts').toString();
    expect(text).toContain(`With clang ${newer} and llvm-spirv ${newer}.`);
  });

  test('can be named', async () => {
    installTools();
    fakeTool(tools, 'clang-16', 'clang version 16.0.6');
    fakeTool(tools, 'llvm-spirv-16', 'LLVM version 16.0.0');
    const named = ['--clang', path.join(tools, 'clang-15'), '--llvm-spirv', 'llvm-spirv-15'];
    expect(await build('scale.cl', ...named)).toMatchObject({ status: 0 });
    expect(read('scale.kernel.ts').toString()).toBe(golden);
  });

  test('that are named must be such tools', async () => {
    installTools();
    const { status, stderr } = await build('scale.cl', '--clang', 'no-such-clang');
    expect(status).toBe(1);
    expect(stderr).toContain(
      'expected clang, got no-such-clang, which does not say that it is one',
    );
  });
});

describe('a hostile repository', () => {
  test.each(['@acme', '-fplugin=.'])(
    'has a folder %s, whose files are not taken for options',
    async (folder) => {
      installTools();
      mkdirSync(inCwd(folder));
      for (const file of ['scale.cl', 'number.h']) cpSync(inCwd(file), inCwd(`${folder}/${file}`));
      const built = await build('--', `${folder}/scale.cl`);
      expect(built).toMatchObject({ status: 0, stderr: '' });
      expect(read(`${folder}/scale.kernel.ts`).toString()).toBe(golden);
    },
  );

  test.each(['scale.kernel.ts', 'scale.spv'])(
    'has a link named %s, whose target is not changed',
    async (name) => {
      installTools();
      writeFileSync(inCwd('precious'), 'mine');
      symlinkSync('precious', inCwd(name));
      const built = await build('scale.cl', '--plain');
      expect(built.status).toBe(1);
      expect(built.stderr).toContain(
        `expected ${name} to be a file, or not there, got a symbolic link`,
      );
      expect(read('precious').toString()).toBe('mine');
      expect(existsSync(inCwd('scale.ptx'))).toBe(false);
    },
  );

  test('has compilers of its own in the folder that the user stands in', async () => {
    installTools();
    for (const name of ['clang-99', 'llvm-spirv-99']) {
      fakeTool(cwd, name, `${name} is no compiler: clang version 99.0.0, LLVM version 99.0.0`);
    }
    const env = { PATH: ['.', '', tools].join(path.delimiter) };
    await run(['kernel', 'build', 'scale.cl'], '', { cwd, env });
    expect(read('scale.kernel.ts').toString()).toBe(golden);
  });

  test('has sources of which a terminal would obey what the compiler says', async () => {
    installTools();
    changeSource((text) => `// odd \u001b]0;owned\u0007\n${text}`);
    const { stderr } = await build('scale.cl');
    expect(stderr).toBe('scale.cl:2:1: warning: odd \\u001b]0;owned\\u0007\n');
  });

  test.each(['\u001b]0;owned\u0007', 'x\nexport const owned = 1', 'x\u2028export const owned = 1'])(
    'has a source named %j',
    async (name) => {
      installTools();
      writeFileSync(inCwd(`${name}.cl`), read('scale.cl'));
      const { status, stdout, stderr } = await build(`${name}.cl`, '--out', 'odd.ts');
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toContain('.cl: expected a path that can be printed, got one with control');
      expect(stderr.trimEnd()).toMatch(/^\P{C}*$/u);
      expect(existsSync(inCwd('odd.ts'))).toBe(false);
    },
  );

  test.each(["x'; owned(); '", 'a(b', '1st', 'a.b', ''])('has a kernel named %j', async (name) => {
    const stderr = await spoilt(
      'spir.ll',
      'spir_kernel void @clear(',
      `spir_kernel void @"${name}"(`,
    );
    expect(stderr).toContain(
      `error: scale.cl:14:13: kernel ${name}: expected a name of letters, digits`,
    );
  });

  test("has a parameter called x: 'int8' }, code: owned(", async () => {
    const stderr = await spoilt('spir.ll', '!"count"', `!"x: 'int8' }, code: owned("`);
    expect(stderr).toContain('parameter of scale x: ');
  });
});

/** Builds with a compiler whose output is another in one place. */
async function spoilt(file: string, from: string, by: string): Promise<string> {
  const name = file === 'spv' ? 'llvm-spirv-15' : 'clang-15';
  installTools();
  fakeTool(tools, name, name === 'clang-15' ? CLANG_15 : LLVM_SPIRV_15, [file, from, by]);
  const { status, stderr } = await build('scale.cl');
  expect(status).toBe(1);
  expect(existsSync(inCwd('scale.kernel.ts'))).toBe(false);
  return stderr;
}

describe('refuses', () => {
  test.each([
    ['a vector', '!"uchar*"', '!"float4"', 'take its parts as'],
    ['an image', '!"uchar*"', '!"image2d_t"', 'take a __global pointer, and'],
    ['pointers to structures', '!"uchar*"', '!"struct S*"', 'take one pointer for'],
  ])('%s as a parameter', async (_, from, type, words) => {
    const base = /!"float\*", !"uchar\*", !"int\*", !"uint", !"float", !"long"/;
    const [list = ''] = base.exec(readFileSync(path.join(here, 'recorded/spir.ll'), 'utf8')) ?? [];
    const stderr = await spoilt('spir.ll', list, list.replace(from, type));
    expect(stderr).toContain(
      'error: scale.cl:4:71: parameter target of scale: expected a number, a struct of numbers, or a ',
    );
    expect(stderr).toContain(words);
  });

  test.each(['bool', 'size_t', 'double2', 'event_t'])(
    'a number that no launch can pass: %s',
    async (type) => {
      const base = /!"float\*", !"uchar\*", !"int\*", !"uint", !"float", !"long"/;
      const [list = ''] =
        base.exec(readFileSync(path.join(here, 'recorded/spir.ll'), 'utf8')) ?? [];
      const stderr = await spoilt('spir.ll', list, list.replace('!"uint"', `!"${type}"`));
      expect(stderr).toContain(
        'error: scale.cl:5:30: parameter count of scale: expected a number, a struct of numbers, or a ',
      );
    },
  );

  test('__constant memory', async () => {
    const spaces = '!{i32 1, i32 1, i32 3, i32 0, i32 0, i32 0}';
    const stderr = await spoilt('spir.ll', spaces, spaces.replace('i32 1', 'i32 2'));
    expect(stderr).toContain('got __constant number*\nto fix it: declare it __global const\n');
  });

  test('a parameter without a name', async () => {
    const stderr = await spoilt('spir.ll', '!"source"', '!""');
    expect(stderr).toContain('parameter number 0 of scale: expected a name, got none\n');
  });

  test('a second local parameter, which CUDA cannot place', async () => {
    const spaces = '!{i32 1, i32 1, i32 3, i32 0, i32 0, i32 0}';
    const stderr = await spoilt('spir.ll', spaces, spaces.replace('i32 1', 'i32 3'));
    expect(stderr).toContain(
      'parameter scratch of scale: expected one __local pointer, got a second',
    );
  });

  test('a file without kernels', async () => {
    const stderr = await spoilt('spir.ll', '*', '');
    expect(stderr).toContain('error: scale.cl: expected a kernel function, got none\n');
  });

  test('a kernel whose name no module can export', async () => {
    const stderr = await spoilt('spir.ll', 'spir_kernel void @clear(', 'spir_kernel void @delete(');
    expect(stderr).toContain('kernel delete: expected a name that a TypeScript module can export');
  });

  test('a parameter that would become the prototype of the others', async () => {
    const stderr = await spoilt('spir.ll', '!"count"', '!"__proto__"');
    expect(stderr).toContain("kernel scale: expected a parameter's name, got __proto__");
  });

  test('functions that CUDA lacks, which nobody may have called', async () => {
    const declared =
      '.extern .func  (.param .b32 func_retval0) _Z3sinf\n(\n\t.param .b32 _Z3sinf_param_0\n)\n;\n' +
      '.extern .func _Z5mixedDv4_fS_PU3AS1f\n()\n;\n.extern .func _Z5powerDv4_fS_d\n()\n;\n.visible';
    const stderr = await spoilt('ptx', '.visible', declared);
    const own = 'define one of your own under another name\n';
    expect(stderr).toBe(
      `error: scale.cl: expected a function that CUDA's code also has, got sin(float)\n` +
        `to fix it: call native_sin if its precision suffices, or ${own}` +
        `error: scale.cl: expected a function that CUDA's code also has, got mixed\nto fix it: ${own}` +
        `error: scale.cl: expected a function that CUDA's code also has, got power(float4, float4, double)\n` +
        `to fix it: ${own}`,
    );
  });

  test('SPIR-V with an instruction of no length', async () => {
    const stderr = await spoilt('spv', 'clear\0\0\0', `${'clear\0\0\0'.repeat(2)}\0\0\0\0`);
    expect(stderr).toContain('expected whole SPIR-V instructions of llvm-spirv, got ');
  });

  test('functions that are only declared', async () => {
    // clear's decoration as a function that others call, made one that is imported
    const clearing = 'clear\0\0\0\0\0\0\0';
    const stderr = await spoilt('spv', clearing, 'clear\0\0\0\x01\0\0\0');
    expect(stderr).toContain('expected a definition of clear, got only a declaration\n');
  });
});
