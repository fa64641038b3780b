import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { name: 'gate', include: ['test/*.planted.mjs'] } });
