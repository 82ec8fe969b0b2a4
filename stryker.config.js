/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: ['lambda/**/*.ts', '!lambda/generated/**'],
  plugins: ['./test/mutation/runner.js'],
  testRunner: 'in-process',
  coverageAnalysis: 'perTest',
  // Static mutants change what a module defines while it loads: names, messages and codes, which other tests check.
  ignoreStatic: true,
  concurrency: 2,
  // The runner ends most endless loops itself, by counting.
  timeoutMS: 15_000,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 100, low: 99, break: 99 },
};
