import { ArrayInterfaceError } from '@array-interface/core';
import { type Check, readOptions } from '@array-interface/core/backend';

/**
 * Reads options as core's `readOptions` does, and throws ERR_ARGUMENT for a list, too: arguments that are one
 * place too far back would be options that say nothing.
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
