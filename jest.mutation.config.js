import config from './jest.config.js';

/** The tests that run the code in their own process, where Stryker can change it: no synthesis, no other tests. */
/** @type {import('jest').Config} */
export default {
  ...config,
  roots: ['<rootDir>/test', '<rootDir>/lambda', '<rootDir>/local'],
  testMatch: [
    '<rootDir>/test/{unit,integration}/*.test.ts',
    '<rootDir>/test/property/handler.test.ts',
    '<rootDir>/test/oidc/keys.test.ts',
    '<rootDir>/test/local/{authorizer-decisions,gateway-responses,intrinsics,policy,throttle}.test.ts',
  ],
  globalSetup: undefined,
  globalTeardown: undefined,
};
