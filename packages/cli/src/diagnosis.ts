import type { DeviceInfo } from '@array-interface/core/backend';
import pc from 'picocolors';
import type { Finding } from './doctor.js';

const GIB = 2 ** 30;

/** What `doctor` prints for one backend, several lines. */
export function diagnosis(finding: Finding): string {
  if (!finding.available) {
    return [
      `${pc.red('✗')} ${pc.bold(finding.name)}  not available: ${finding.reason}`,
      ...finding.tried.map((place) => `    tried  ${place}`),
      `    to do  ${finding.remedy}`,
    ].join('\n');
  }
  return [
    `${pc.green('✓')} ${pc.bold(finding.name)}  version ${finding.version}, ${finding.library}`,
    ...finding.devices.flatMap(deviceLines),
    ...(finding.problem === null ? [] : [`    its devices cannot be listed: ${finding.problem}`]),
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
