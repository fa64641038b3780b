import {
  type ArrayInterfaceError,
  explain,
  isArrayInterfaceError,
  printable,
} from '@array-interface/core';
import { Command, InvalidArgumentError, Option } from 'commander';
import pc from 'picocolors';
import { type ConvertOptions, convert } from './convert.js';
import { diagnosis } from './diagnosis.js';
import { examine } from './doctor.js';
import { type CopyWords, explainCopy } from './explain-copy.js';
import { writeJson } from './json.js';
import { picture } from './picture.js';
import { planPicture } from './plan-picture.js';
import { type Handlers, processValues } from './process-values.js';
import { readers } from './readers.js';
import { report, reportError } from './report.js';
import { setupSycl } from './setup-sycl.js';
import { writeLine } from './write-line.js';

const INPUT = 'JSON: one value, an array, or one value a line; - is standard input';
const refused: Handlers['refused'] = (error) => writeJson(reportError(error));

/** The command line. `finish` takes whether all was fine. */
export function command(version: string, finish: (fine: boolean) => void): Command {
  const program = new Command('array-interface')
    .description('Look at, check and convert array interface dicts.')
    .version(version);
  program
    .command('doctor')
    .description('which backends are there, their devices, and what to do about each that is not')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const backends = await examine();
      await writeLine(json === true ? writeJson({ backends }) : backends.map(diagnosis).join('\n'));
      finish(true);
    });
  program
    .command('setup')
    .description('provide what a backend needs')
    .command('sycl')
    .description('provide a pinned SYCL runtime in .sycl-runtime of this folder (1.6 GB)')
    .action(async () => finish(await setupSycl(process.cwd())));
  program
    .command('inspect')
    .description('check interface dicts and show their layout')
    .argument('[file]', INPUT, '-')
    .addOption(new Option('--json', 'print one line of JSON for each value').conflicts('readers'))
    .option('--readers', 'also say which libraries can read each, and why others cannot')
    .action(async (file: string, options: InspectOptions) => {
      finish(await processValues(file, inspecting(options)));
    });
  program
    .command('convert')
    .description('write interface dicts in another protocol')
    .argument('[file]', INPUT, '-')
    .addOption(
      new Option('--to <protocol>', 'what to write')
        .choices(['cuda', 'sycl', 'host'])
        .makeOptionMandatory(),
    )
    .option('--cuda-version <n>', 'version of the CUDA interface, 0 to 3', cudaVersion)
    .option('--syclobj <selector>', 'filter selector to write into SUAI, as opencl:cpu:0')
    .action(async (file: string, options: ConvertOptions) => {
      const accepted: Handlers['accepted'] = (described) => writeJson(convert(described, options));
      finish(await processValues(file, { accepted, refused }));
    });
  program
    .command('explain-copy')
    .description('say how a copy between two layouts goes; nothing is copied')
    .argument('<shape>', 'lengths of both sides, as 480,640')
    .argument('<destination>', 'its byte strides, as 2560,4 or [-2560,4]; C: those of C order')
    .argument('<source>', 'the same of the source; 0 repeats an axis')
    .option('--to <dtype>', 'dtype of the destination', 'float32')
    .option('--from <dtype>', 'dtype of the source (default: that of the destination)')
    .option('--threads <n>', 'most threads of the copy', '1')
    .addOption(new Option('--backend <name>', 'whose copy').choices(['host']).default('host'))
    .option('--json', 'print JSON')
    .action(async (shape: string, destination: string, source: string, options: ExplainOptions) => {
      finish(await explained({ ...options, shape, destination, source }));
    });
  return program;
}

interface ExplainOptions extends Pick<CopyWords, 'to' | 'from' | 'threads'> {
  readonly json?: true;
}

/** Prints how a copy goes, or why it would be refused; whether it would go. */
async function explained({ json, ...words }: ExplainOptions & CopyWords): Promise<boolean> {
  try {
    const copy = await explainCopy(words);
    await writeLine(json === true ? writeJson(copy.explanation) : planPicture(copy));
    return true;
  } catch (error) {
    if (!isArrayInterfaceError(error)) throw error;
    await writeLine(json === true ? refused(error) : refusal(error));
    return false;
  }
}

interface InspectOptions {
  readonly json?: true;
  readonly readers?: true;
}

function inspecting({ json, readers: wanted }: InspectOptions): Handlers {
  if (json === true)
    return { accepted: (value) => printable(JSON.stringify(report(value))), refused };
  if (wanted !== true) return { accepted: picture, refused: refusal };
  return { accepted: (value) => `${picture(value)}\n${readers(value)}`, refused: refusal };
}

function refusal(error: ArrayInterfaceError): string {
  const [head = '', ...dict] = explain(error).split('\n');
  const marks = dict.map((line) => (/^ *\^+$/.test(line) ? pc.red(line) : line));
  return [head.replace(error.code, pc.red), ...marks].join('\n');
}

function cudaVersion(text: string): number {
  if (/^[0-3]$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected 0, 1, 2 or 3.');
}
