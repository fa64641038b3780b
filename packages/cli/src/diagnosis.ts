import { printable } from '@array-interface/core';
import type { DeviceInfo } from '@array-interface/core/backend';
import pc from 'picocolors';
import type { Finding } from './doctor.js';

const GIB = 2 ** 30;

/** What `doctor` prints for one backend, several lines. Names come from drivers and the environment. */
export function diagnosis(finding: Finding): string {
  if (!finding.available) {
    return [
      `${pc.red('✗')} ${pc.bold(finding.name)}${printable(`  not available: ${finding.reason}`)}`,
      ...finding.tried.map((place) => printable(`    tried  ${place}`)),
      printable(`    to do  ${finding.remedy}`),
    ].join('\n');
  }
  const { version, library, devices, problem } = finding;
  return [
    `${pc.green('✓')} ${pc.bold(finding.name)}${printable(`  version ${version}, ${library}`)}`,
    ...devices.flatMap(deviceLines).map((line) => printable(line)),
    ...(problem === null ? [] : [printable(`    its devices cannot be listed: ${problem}`)]),
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
