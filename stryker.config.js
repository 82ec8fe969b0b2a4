/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: ['lambda/**/*.ts', '!lambda/generated/**'],
  plugins: ['./test/mutation/runner.js'],
  testRunner: 'in-process',
  coverageAnalysis: 'perTest',
  // Static mutants change what a module defines when it is loaded: names, messages and codes. Other tests check these.
  ignoreStatic: true,
  concurrency: 2,
  // The runner itself stops most endless loops earlier: it counts how often the mutant runs.
  timeoutMS: 15_000,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 100, low: 99, break: 99 },
};
