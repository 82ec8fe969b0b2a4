import config from './jest.config.js';

/** Every line and branch of what runs in AWS, by the tests that run it in their own process. */
/** @type {import('jest').Config} */
export default {
  ...config,
  testMatch: [
    '<rootDir>/test/{unit,integration}/*.test.ts',
    '<rootDir>/test/property/handler.test.ts',
    '<rootDir>/test/oidc/keys.test.ts',
    '<rootDir>/test/faults/retries.test.ts',
  ],
  globalSetup: undefined,
  globalTeardown: undefined,
  roots: ['<rootDir>/test', '<rootDir>/lambda'],
  collectCoverage: true,
  collectCoverageFrom: ['lambda/**/*.ts', '!lambda/generated/**'],
  coverageReporters: ['text', 'lcov'],
  coverageThreshold: { global: { lines: 100, branches: 100, functions: 100, statements: 100 } },
};
