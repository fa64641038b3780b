import { printable } from '@array-interface/core';
import type { DeviceInfo } from '@array-interface/core/backend';
import pc from 'picocolors';
import type { Finding, PythonFinding } from './examine.js';

const GIB = 2 ** 30;

type PythonBindings = Extract<PythonFinding, { available: true }>['bindings'];

/** The lines that `doctor` prints for one backend. Names come from drivers and the environment. */
export function diagnosis(finding: Finding): string {
  if (!finding.available) return absence(finding);
  const { version, library, devices, problem } = finding;
  return [
    `${pc.green('✓')} ${pc.bold(finding.name)}${printable(`  version ${version}, ${library}`)}`,
    ...devices.flatMap(deviceLines).map((line) => printable(line)),
    ...(problem === null ? [] : [printable(`    its devices cannot be listed: ${problem}`)]),
  ].join('\n');
}

/** The lines that `doctor` prints for Python. */
export function pythonDiagnosis(finding: PythonFinding): string {
  if (!finding.available) return absence(finding);
  const { name, version, library, program, freeThreaded, bindings } = finding;
  return [
    `${pc.green('✓')} ${pc.bold(name)}${printable(`  version ${version}, ${library}`)}`,
    printable(`    program  ${program}${freeThreaded ? ', free-threaded' : ''}`),
    ...bindingLines(bindings).map((line) => printable(line)),
  ].join('\n');
}

/** Python's modules run on Node's OpenSSL and zlib where the loader finds those first. */
function bindingLines(bindings: PythonBindings): string[] {
  if (bindings === null) return ['    whose OpenSSL and zlib it calls cannot be read'];
  return bindings.map(({ module, own, node }) => {
    const library = module === 'zlib' ? 'zlib' : 'OpenSSL';
    const whose = node === 0 ? `its own ${library}` : `Node's ${library}`;
    return `    ${module}  calls ${whose} (functions: ${own} its own, ${node} of Node)`;
  });
}

function absence({
  name,
  reason,
  tried,
  remedy,
}: Extract<Finding | PythonFinding, { available: false }>): string {
  return [
    `${pc.red('✗')} ${pc.bold(name)}${printable(`  not available: ${reason}`)}`,
    ...tried.map((location) => printable(`    tried  ${location}`)),
    printable(`    to do  ${remedy}`),
  ].join('\n');
}

function deviceLines({
  index,
  name,
  type,
  driverVersion,
  memory,
  limitation,
}: DeviceInfo): string[] {
  const size = memory >= GIB ? `${(memory / GIB).toFixed(1)} GiB` : `${memory} bytes`;
  return [
    `    device ${index}  ${name} (${type}), ${size}, driver ${driverVersion}`,
    ...(limitation === null ? [] : [`              ${limitation}`]),
  ];
}
