/** Packages that load slowly and keep no state. Node loads them once, for all test files of a worker. */
const NATIVE = [
  ...['aws-cdk-lib', 'constructs', 'cdk-nag', '@aws-cdk', 'esbuild', 'typescript'],
  ...['@aws-sdk', '@aws', '@smithy', 'dynalite', 'chokidar'],
];
/**
 * `ajv` and `fast-check` would create objects in Node's realm, which never deeply equal objects from Jest's realm.
 * In-process tests compare such objects, so only the service tests load these packages with Node. They also load
 * `ajv-formats` with Node, because Node's `ajv` does not recognize regular expressions from Jest's realm.
 */
const NATIVE_IN_SERVICE = [...NATIVE, 'ajv', 'ajv-formats', 'fast-check'];

const shared = (native = NATIVE) => ({
  testPathIgnorePatterns: ['/node_modules/'],
  testEnvironment: '<rootDir>/test/support/jest/native-environment.cjs',
  transform: {
    [`/node_modules/(${native.join('|')})/`]: '<rootDir>/test/support/jest/native-packages.cjs',
    '\\.[jt]s$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Middy is published only as ESM, which Jest can neither resolve nor run from CommonJS.
  moduleNameMapper: { '^@middy/([^/]+)$': '<rootDir>/node_modules/@middy/$1/index.js' },
  transformIgnorePatterns: [`/node_modules/(?!(@middy|${native.join('|')})/)`],
});

/** Tests that call the code directly. Only these tests count toward coverage. */
const inProcess = {
  ...shared(),
  displayName: 'in-process',
  testMatch: ['<rootDir>/{test,test/*,tools/*/test}/in-process/**/*.test.ts'],
};

/** @type {import('jest').Config} */
export default {
  projects: [
    inProcess,
    {
      ...shared(),
      displayName: 'template',
      testMatch: ['<rootDir>/test/template/*.test.ts'],
    },
    {
      ...shared(NATIVE_IN_SERVICE),
      displayName: 'service',
      testMatch: ['<rootDir>/{test,tools/*/test}/**/*.test.ts'],
      // npm test skips test:browser and test:python, which need programs that npm does not install, and test:adopt,
      // which runs the suite again.
      testPathIgnorePatterns: [
        '/node_modules/',
        '/in-process/',
        '/(template|browser|python)/',
        '/test/docs/adopt',
      ],
      globalSetup: '<rootDir>/test/support/jest/global-setup.ts',
    },
  ],
  // Tests wait for timeouts and for other processes, so one worker per core keeps both cores busy.
  maxWorkers: '100%',
  // Most tests start a service, which takes seconds on a busy machine.
  testTimeout: 60_000,
  // Freeing a worker's heap can take longer than the default of 500 ms. A worker that leaks never exits, so Jest reports it.
  workerGracefulExitTimeout: 10_000,
  collectCoverageFrom: ['lambda/**/*.ts', '!lambda/generated/**'],
  coverageReporters: ['text', 'lcov'],
  coverageThreshold: { global: { lines: 100, branches: 100, functions: 100, statements: 100 } },
};
