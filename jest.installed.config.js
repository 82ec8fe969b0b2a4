import base from './jest.config.js';

/** The tests that need more than npm installs: a Chromium, a Python. @type {import('jest').Config} */
export default {
  ...base,
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: undefined,
  globalTeardown: undefined,
  testTimeout: 60_000,
};
