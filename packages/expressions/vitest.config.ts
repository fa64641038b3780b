// @boundaries-ignore: one configuration for the tests of all packages
import { projectConfig } from '../../scripts/vitest/config.mjs';

export default projectConfig('@array-interface/expressions', {
  setupFiles: ['test/driver-under-test.ts'],
});
