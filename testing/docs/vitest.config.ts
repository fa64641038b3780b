import os from 'node:os';
// @boundaries-ignore: one configuration for the tests of all packages
import { projectConfig } from '../../scripts/vitest/config.mjs';

// The longest suite, most of which is programs that the pages have.
export default projectConfig('@array-interface/docs', { maxWorkers: os.availableParallelism() });
