/** @type {import('jest').Config} */
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // They need more than npm installs: jest.installed.config.js runs them.
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(browser|python)/'],
  globalSetup: '<rootDir>/test/global-setup.ts',
  globalTeardown: '<rootDir>/test/global-teardown.ts',
  // Tests wait, for time-outs and for other processes, so one worker per core keeps them busy.
  maxWorkers: '100%',
  transform: {
    '\\.[jt]s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Middy is published as ESM only, which Jest neither resolves nor runs from CommonJS.
  moduleNameMapper: { '^@middy/([^/]+)$': '<rootDir>/node_modules/@middy/$1/index.js' },
  transformIgnorePatterns: ['/node_modules/(?!@middy/)'],
};
