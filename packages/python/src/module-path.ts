/**
 * The path of this module; in a bundle, the bundle's. Bundlers for CommonJS leave import.meta
 * empty, hence the fallback.
 */
export const modulePath: string = import.meta.filename ?? __filename;
