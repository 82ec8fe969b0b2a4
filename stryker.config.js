import { inProcess } from './jest.config.js';

/**
 * What decides: all of lambda/, and of the emulator what says yes or no to a request or reads the template.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    'lambda/**/*.ts',
    '!lambda/generated/**',
    'emulator/rest-api/{authorizer,gateway-responses,policy,throttle}.ts',
    'emulator/template/intrinsics.ts',
  ],
  testRunner: 'jest',
  jest: { config: inProcess },
  coverageAnalysis: 'perTest',
  // Each would take all tests again; what they hold (names, texts, numbers) is compared with the documents.
  ignoreStatic: true,
  concurrency: 1,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
