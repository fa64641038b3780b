/**
 * This program's file; in a bundle, the bundle's. As far from the package's folder as programs in `dist` are.
 * Bundlers for CommonJS leave import.meta empty.
 */
export const modulePath: string = import.meta.filename ?? __filename;
