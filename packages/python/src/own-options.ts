import { ArrayInterfaceError } from '@array-interface/core';
import { type Check, readOptions } from '@array-interface/core/backend';

/**
 * Reads options as core's `readOptions` does. Throws ERR_ARGUMENT for a list too, which would
 * otherwise count as empty options: it is most likely a list of arguments in the wrong position.
 */
export function readOwnOptions<Options extends object>(
  options: Options,
  checks: Readonly<Record<string, Check>>,
): Options {
  if (!Array.isArray(options)) return readOptions(options, checks);
  throw new ArrayInterfaceError(
    'ERR_ARGUMENT',
    'options',
    `expected an object of the options ${Object.keys(checks).join(', ')}, got a list; ` +
      'pass { name: value }',
  );
}
