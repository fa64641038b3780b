import { type Protocol, printable } from '@array-interface/core';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type ConvertOptions, convert } from './commands/convert.js';
import { type DoctorOptions, doctor, requiredNames } from './commands/doctor.js';
import { EXAMINED } from './commands/examine.js';
import { type CopyWords, explainCopy, notAnOption } from './commands/explain-copy.js';
import { clearKernels, showKernels } from './commands/kernel-cache.js';
import { readers, readersReport } from './commands/readers.js';
import { type SetupOptions, setupSycl } from './commands/setup-sycl.js';
import * as help from './help.js';
import { type Handlers, processValues } from './input/process-values.js';
import { type KernelBuildOptions, kernelBuild } from './kernel-build/kernel-build.js';
import { SM_TARGETS } from './kernel-build/ptx.js';
import { refusal } from './output/refusal.js';
import { report, reportError } from './output/report.js';
import { printableLines } from './output/write-line.js';
import { picture } from './picture/picture.js';
import { PROTOCOL_NAMES } from './values/bare-dict.js';
import { writeJson } from './values/json.js';
import { lineOf } from './values/location.js';

/**
 * Builds the command line. `docs` is the address of its docs. `finish` receives whether everything
 * succeeded.
 */
export function command(version: string, docs: string, finish: (fine: boolean) => void): Command {
  const program = new Command('array-interface')
    .description('Look at, check and convert array interface dicts.')
    .configureOutput({ writeErr: (text) => process.stderr.write(printableLines(text)) })
    // without this, `convert --version 0` would print the command's own version
    .enablePositionalOptions()
    .exitOverride() // also of the commands below, which inherit it
    .addHelpText('after', help.PROGRAM)
    .addHelpText('afterAll', help.footer(docs))
    .version(version);
  program
    .command('doctor')
    .description(
      'list the backends and their devices, Python, and what to do about each that is missing',
    )
    .option('--json', 'print JSON')
    .option(
      '--require <names>',
      `exit with 1 unless these can be used, separated by commas: ${EXAMINED.join(', ')}`,
      requiredNames,
    )
    .addHelpText('after', help.DOCTOR)
    .action(async (options: DoctorOptions) => finish(await doctor(options)));
  program
    .command('setup')
    .description('provide what a backend needs')
    .command('sycl')
    .description("provide a pinned SYCL runtime for all projects, in the user's cache (1.6 GB)")
    .option('--here', 'provide one for this project only, in .sycl-runtime')
    .addHelpText('after', help.SETUP_SYCL)
    .action(async (options: SetupOptions) => finish(await setupSycl(process.cwd(), options)));
  const cache = program
    .command('cache')
    .description('show where compiled SYCL kernels are kept, how many there are, and their size')
    .addHelpText('after', help.CACHE)
    .action(async () => finish(await showKernels()));
  cache
    .command('clear')
    .description('remove them; running programs continue, and compile again')
    .action(async () => finish(await clearKernels()));
  program
    .command('inspect')
    .description('check interface dicts and show their layouts; no memory is read')
    .argument('[files...]', help.INPUT)
    .option('--json', 'print one line of JSON for each value')
    .option('--readers', 'also show which libraries can read each value, and why others cannot')
    .addOption(bareProtocol())
    .addHelpText('after', help.PROTOCOLS + help.INSPECT)
    .action(async (files: string[], options: InspectOptions) => {
      finish(await processValues(files, inspecting(options, files.length > 1)));
    });
  program
    .command('convert')
    .description('write interface dicts in another protocol; no memory moves')
    .argument('[files...]', help.INPUT)
    .addOption(
      new Option('--to <protocol>', 'required: what to write')
        .choices([...PROTOCOL_NAMES.keys()])
        .makeOptionMandatory(),
    )
    .addOption(bareProtocol())
    .option(
      '--cuda-version <n>',
      'with --to cuda: version of the dicts, 0 to 3 (default: 3)',
      cudaVersion,
    )
    .addOption(new Option('--version <n>').hideHelp().argParser(otherVersion))
    .option(
      '--syclobj <selector>',
      'with --to sycl: filter selector of the device, such as opencl:cpu:0; needed for dicts that are not SUAI',
    )
    .option('--settled', "leave out the dicts' streams: you have waited for their work")
    .addHelpText('after', help.PROTOCOLS + help.CONVERT)
    .action(async (files: string[], words: ConvertWords, self: Command) => {
      const options = { ...words, to: PROTOCOL_NAMES.get(words.to) as Protocol };
      refuseIdle(options, self);
      finish(await processValues(files, converting(options, words.protocol)));
    });
  const explain = program
    .command('explain-copy')
    .description('explain how a copy between two layouts runs; nothing is copied')
    .argument('<shape>', 'lengths of both sides, such as 480,640')
    .argument('<destination>', 'its byte strides, such as 2560,4 or -2560,4; C or F for that order')
    .argument('<source>', 'the same for the source; 0 repeats an axis')
    .option('--to <dtype>', 'dtype of the destination', 'float32')
    .option('--from <dtype>', 'dtype of the source (default: that of the destination)')
    .option('--threads <n>', 'maximum number of threads', '1')
    .addOption(
      new Option('--backend <name>', 'the backend that copies').choices(['host']).default('host'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', help.EXPLAIN_COPY)
    .action(async (shape: string, destination: string, source: string, options: CopyWords) =>
      finish(await explainCopy({ ...options, shape, destination, source })),
    );
  const parseOptions = explain.parseOptions.bind(explain);
  explain.parseOptions = (args) => parseOptions(args.map(notAnOption));
  program
    .command('kernel')
    .description('kernels for all backends from one source')
    .command('build')
    .description('make a TypeScript module with PTX and SPIR-V of an OpenCL C file')
    .argument('<source>', 'the file, such as blur.cl')
    .option('-o, --out <file>', 'the module (default: blur.kernel.ts for blur.cl)')
    .option('--plain', 'also write blur.ptx and blur.spv')
    .addOption(
      new Option('--sm <target>', 'the oldest GPU architecture that the PTX supports')
        .choices(SM_TARGETS)
        .default('sm_30'),
    )
    .option('-D, --define <macro>', 'a macro, NAME or NAME=VALUE; may be repeated', collected)
    .option('-I, --include <folder>', 'a folder of headers; may be repeated', collected)
    .option(
      '--contract',
      'a * b + c may become one operation: faster, but results may differ between devices',
    )
    .option(
      '--clang <program>',
      'the compiler (default: the newest on PATH that has an llvm-spirv)',
    )
    .option('--llvm-spirv <program>', 'the translator (default: the one of the same version)')
    .option('--check', 'write nothing, and check that the module is up to date')
    .addHelpText('after', help.KERNEL_BUILD)
    .action(async (source: string, options: KernelBuildOptions) =>
      finish(await kernelBuild(source, options)),
    );
  return program;
}

interface InspectOptions {
  readonly json?: true;
  readonly readers?: true;
  readonly protocol?: string;
}

/** The options of `convert`, with the names of protocols. */
interface ConvertWords extends Omit<ConvertOptions, 'to'> {
  readonly to: string;
  readonly protocol?: string;
}

function bareProtocol(): Option {
  return new Option(
    '--protocol <name>',
    'protocol of dicts that have no attribute around them; needed where they do not show it',
  ).choices([...PROTOCOL_NAMES.keys()]);
}

function inspecting(options: InspectOptions, severalFiles: boolean): Handlers {
  const { json, readers: wanted } = options;
  const protocol = PROTOCOL_NAMES.get(options.protocol ?? '');
  if (json === true) {
    return {
      accepted: (value, location) => {
        const shown = report(value, location);
        const all = wanted === true ? { ...shown, readers: readersReport(value) } : shown;
        return printable(JSON.stringify(all));
      },
      refused: (error, location) => writeJson(reportError(error, location)),
      refusals: 'stdout',
      protocol,
    };
  }
  return {
    accepted: (value, location) =>
      [
        ...(severalFiles ? [`${lineOf(location)}:`] : []),
        picture(value),
        ...(wanted === true ? [readers(value)] : []),
      ].join('\n'),
    refused: refusal,
    refusals: 'stderr',
    protocol,
  };
}

function converting(options: ConvertOptions, bare = ''): Handlers {
  const accepted: Handlers['accepted'] = (value) => writeJson(convert(value, options));
  const protocol = PROTOCOL_NAMES.get(bare);
  return { accepted, refused: refusal, refusals: 'stderr', protocol };
}

/** Refuses options that would have no effect. */
function refuseIdle({ to, cudaVersion: version, syclobj }: ConvertOptions, self: Command): void {
  if (version !== undefined && to !== 'cuda') {
    self.error(`error: expected --cuda-version with --to cuda only, got --to ${to}`);
  }
  if (syclobj !== undefined && to !== 'sycl') {
    self.error(`error: expected --syclobj with --to sycl only, got --to ${to}`);
  }
}

/** Adds the value of an option that may be repeated to those before it. */
function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

function cudaVersion(text: string): number {
  if (/^[0-3]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected 0, 1, 2 or 3.');
}

function otherVersion(): never {
  throw new InvalidArgumentError('The version of a CUDA dict is --cuda-version.');
}
