/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: ['lambda/**/*.ts', '!lambda/generated/**'],
  plugins: ['./test/mutation/runner.js'],
  testRunner: 'in-process',
  coverageAnalysis: 'perTest',
  // A static mutant runs when a module is loaded; what they define (names, messages, codes) is compared with the documents.
  ignoreStatic: true,
  concurrency: 2,
  // A mutant that loops ends by a count of its runs, or else its process does.
  timeoutMS: 15_000,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 100, low: 99, break: 99 },
};
