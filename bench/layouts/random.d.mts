import type { Copy } from './layouts.mjs';

export declare const LARGEST_SIDE: number;
export declare function randomLayouts(seed: number, count: number): readonly Copy[];
export declare function nameOf(copy: Copy): string;
