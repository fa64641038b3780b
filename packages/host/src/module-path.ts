/**
 * The path of this module; in a bundle, the bundle's. It must lie as many folders below the
 * package's as the modules in `dist`. Bundlers for CommonJS leave import.meta empty, hence the
 * fallback.
 */
export const modulePath: string = import.meta.filename ?? __filename;
