import { readFileSync, writeFileSync } from 'node:fs';
import { assemble, knownTo, readPtx, versionOf } from './ptxas.mjs';

/** The page that contains the tables, between these markers. */
const page = new URL('../README.md', import.meta.url);
const START = '<!-- statistics: written by assemble.mjs --statistics -->';
const END = '<!-- end of statistics -->';

/** One architecture of each generation that current compilers support. */
const ARCHITECTURES = ['sm_50', 'sm_70', 'sm_75', 'sm_80', 'sm_86', 'sm_90', 'sm_100', 'sm_120'];

/**
 * The placeholder constant for the conversion, and its codes, as in specialise.hpp and
 * element_type.hpp.
 */
const ANY_CONVERSION = '7eadbee5';
const TYPES = ['b1', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'bf2', 'f4', 'f8'];
const BYTES_16 = 15;

/** Moves and conversions: the element types of source and destination, and what is byte-swapped. */
const CONVERSIONS = [
  ['units of 1 byte', 'u1', 'u1', 0],
  ['units of 2 bytes', 'u2', 'u2', 0],
  ['units of 4 bytes', 'u4', 'u4', 0],
  ['units of 8 bytes', 'u8', 'u8', 0],
  ['units of 16 bytes', null, null, 0],
  ['u1 to f4', 'u1', 'f4', 0],
  ['f2 to f4', 'f2', 'f4', 0],
  ['f4 to bf2', 'f4', 'bf2', 0],
  ['f8 to f4', 'f8', 'f4', 0],
  ['f4 to i8', 'f4', 'i8', 0],
  ['big-endian f4 to native', 'f4', 'f4', 1],
];

function codeOf([, from, to, swaps]) {
  if (from === null) return BYTES_16 | (BYTES_16 << 8);
  return TYPES.indexOf(from) | (TYPES.indexOf(to) << 8) | (swaps << 16);
}

/** Each PTX text that is passed to a driver, by the label of its function in the table. */
function modules() {
  const ptx = readPtx();
  const block = ptx['block_copy.ptx'];
  const places = block.split(ANY_CONVERSION).length - 1;
  if (places !== 1)
    throw new Error(`expected the conversion once in block_copy's PTX, got ${places}`);
  const special = CONVERSIONS.map((conversion) => {
    const code = codeOf(conversion).toString(16).padStart(8, '0');
    return [conversion[0], block.replace(ANY_CONVERSION, code)];
  });
  const whole = ['strided_copy.ptx', 'convert.ptx'].map((name) => ['', ptx[name]]);
  return [...whole, ...special];
}

/**
 * Parses the figures for each kernel: registers per thread, stack and spill bytes, shared bytes.
 */
export function readStatistics(text) {
  const kernels = text.split(/Compiling entry function '/).slice(1);
  return kernels.map((part) => {
    const number = (pattern) => Number(pattern.exec(part)?.[1] ?? 0);
    const registers = number(/Used (\d+) registers/);
    if (registers === 0) throw new Error(`expected the registers of a kernel, got ${part}`);
    return {
      kernel: part.slice(0, part.indexOf("'")),
      registers,
      stack: number(/(\d+) bytes stack frame/),
      spills: number(/(\d+) bytes spill stores/) + number(/(\d+) bytes spill loads/),
      shared: number(/(\d+) bytes smem/),
    };
  });
}

/** Collects rows by kernel and function, each with its figures per architecture. */
function collect(ptxas, architectures) {
  const rows = new Map();
  for (const [what, ptx] of modules()) {
    for (const architecture of architectures) {
      for (const found of readStatistics(assemble(ptxas, ptx, architecture))) {
        const name = what === '' ? found.kernel : `${found.kernel}, ${what}`;
        rows.set(name, { ...rows.get(name), [architecture]: found });
      }
    }
  }
  return rows;
}

function cell({ registers, stack, spills }) {
  const more = [
    ...(stack > 0 ? [`${stack} B stack`] : []),
    ...(spills > 0 ? [`${spills} B spilled`] : []),
  ];
  return [registers, ...more].join(', ');
}

function tableOf(rows, architectures) {
  const head = ['kernel', 'shared bytes', ...architectures];
  const lines = [...rows].map(([name, found]) => {
    const shared = [...new Set(architectures.map((one) => found[one].shared))].join(' to ');
    return [name, shared, ...architectures.map((one) => cell(found[one]))];
  });
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}

/** Writes the table of registers, spills and shared memory into the page. */
export function writeStatistics(ptxas) {
  const architectures = knownTo(ptxas, ARCHITECTURES);
  const table = tableOf(collect(ptxas, architectures), architectures);
  const said = `Registers of a thread, as \`ptxas\` ${versionOf(ptxas)} gives them; where there are a stack or spills, the cell says so.`;
  const text = readFileSync(page, 'utf8');
  const [start, end] = [text.indexOf(START), text.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`expected '${START}' and '${END}' in ${page}`);
  const parts = [text.slice(0, start), START, `\n\n${said}\n\n${table}\n\n`, text.slice(end)];
  writeFileSync(page, parts.join(''));
}
