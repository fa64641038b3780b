// @boundaries-ignore: one configuration for the tests of all packages
import { projectConfig } from '../../scripts/vitest/config.mjs';

export default projectConfig('@array-interface/core', {
  // Some tests see whether an object is held by its being collected, or not.
  execArgv: ['--expose-gc'],
});
