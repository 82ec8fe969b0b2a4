import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  testMatch: ['<rootDir>/{test,{packages,tools}/*/test}/**/*.test.ts'],
  // npm test skips test:browser and test:python, which need programs that npm does not install, and test:adopt, which runs
  // the suite again.
  testPathIgnorePatterns: ['/node_modules/', '/(browser|python)/', '/test/docs/adopt'],
  globalSetup: '<rootDir>/test/support/jest/global-setup.ts',
  testEnvironment: '<rootDir>/test/support/jest/environment-without-colors.cjs',
  transform: {
    '\\.[jt]s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Jest can neither resolve packages that are published only as ESM from CommonJS, nor run their code.
  moduleNameMapper: { '^@middy/([^/]+)$': '<rootDir>/node_modules/@middy/$1/index.js' },
  transformIgnorePatterns: ['/node_modules/(?!(@middy|chokidar|readdirp)/)'],
  // Tests wait for timeouts and for other processes, so more workers than cores keep the cores busy.
  maxWorkers: availableParallelism() + 1,
  // Most tests start a service, which takes seconds on a busy machine.
  testTimeout: 60_000,
  // Freeing a worker's heap can take longer than the default of 500 ms. A worker that leaks never exits, so Jest reports it.
  workerGracefulExitTimeout: 10_000,
  // Only tests that call the code directly count toward coverage: npm run test:coverage.
  // The bundles' tests cover what only connects modules.
  collectCoverageFrom: [
    'lambda/**/*.ts',
    '!lambda/generated/**',
    '!lambda/*/index.ts',
    '!lambda/bundle/stubs.ts',
  ],
  coverageReporters: ['text', 'lcov'],
  coverageThreshold: { global: { lines: 100, branches: 100, functions: 100, statements: 100 } },
};
