import { ArrayInterfaceError } from '../errors/error.js';

/** The function that every addon has. */
export interface NativeAddon {
  /** Gives the addon the class of its errors. Later calls change nothing. */
  initialize(errorClass: typeof ArrayInterfaceError): void;
}

/**
 * Loads and initializes a backend's addon with the caller's own `require`. Throws
 * ERR_BACKEND_UNAVAILABLE with the loader's message and what to do.
 */
export function loadAddon<T extends NativeAddon>(
  name: string,
  path: string,
  require: (path: string) => unknown,
): T {
  try {
    const addon = require(path) as T;
    addon.initialize(ArrayInterfaceError);
    return addon;
  } catch (cause) {
    const { message } = cause as Error;
    throw new ArrayInterfaceError(
      'ERR_BACKEND_UNAVAILABLE',
      null,
      `expected the ${name} addon at ${path}, got: ${message.split('\n')[0]}; ` +
        'build it with `npm run setup` in the repository',
      { cause },
    );
  }
}
