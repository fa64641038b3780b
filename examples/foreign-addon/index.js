import { createRequire } from 'node:module';

/** @type {import('./index.js')} */
const addon = createRequire(import.meta.url)('./build/Release/foreign_addon.node');

export const { ramp, sum, through } = addon;
