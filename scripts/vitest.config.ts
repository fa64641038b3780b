import { projectConfig } from './vitest/config.mjs';

export default projectConfig('scripts', { include: ['test/**/*.test.mjs'] });
