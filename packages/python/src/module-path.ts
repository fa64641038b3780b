/** This program's file; in a bundle, the bundle's. Bundlers for CommonJS leave import.meta empty. */
export const modulePath: string = import.meta.filename ?? __filename;
