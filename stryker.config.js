import { inProcess } from './jest.config.js';

/**
 * Mutates all of lambda/, and the parts of the emulator that accept or reject requests or read the template.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    'lambda/**/*.ts',
    '!lambda/generated/**',
    'tools/emulator/rest-api/{authorizer,gateway-responses,policy,throttle}.ts',
    'tools/emulator/template/{intrinsics,outputs}.ts',
  ],
  testRunner: 'jest',
  jest: { config: inProcess },
  coverageAnalysis: 'perTest',
  // Each static mutant would run all tests; what they define (names, messages, codes) is compared with the documents.
  ignoreStatic: true,
  concurrency: 1,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
