/**
 * What decides: all of lambda/, and of the local stage what says yes or no to a request or reads the template.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    'lambda/**/*.ts',
    '!lambda/generated/**',
    'local/rest-api/{authorizer,authorizer-result,gateway-responses,policy,throttle}.ts',
    'local/template/{conditions,intrinsics}.ts',
  ],
  testRunner: 'jest',
  jest: { configFile: 'jest.mutation.config.js' },
  coverageAnalysis: 'perTest',
  // Each would take all tests again; what they hold (names, texts, numbers) is compared with the documents.
  ignoreStatic: true,
  concurrency: 1,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
