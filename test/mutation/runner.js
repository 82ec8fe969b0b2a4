import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { collectTests } from './jest-globals.js';

const GLOBALS = new URL('./jest-globals.js', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

/**
 * Files that are left out because they take seconds: they test random cases or wait for DynamoDB timeouts. The tests in
 * the other files kill the same mutants.
 */
const SLOW = ['**/properties.test.ts', '**/retries.test.ts'];

/** How long a test can run before it counts as stuck. */
const TIMEOUT_MS = 5_000;
const STUCK = 'the test is stuck';

/**
 * How often a test can run the mutated code before that counts as an endless loop. The test with the largest body runs
 * it 10 million times.
 */
const MAX_HITS = 20_000_000;

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/**
 * Runs the tests in test/in-process/lambda/ for Stryker. Jest would take seconds for each mutant, because it would load
 * every module again. Here, Node loads the modules once and `beforeAll` runs once, so each mutant takes only as long as
 * the tests that cover it.
 */
class InProcessRunner {
  #tests = new Map();

  /**
   * Claims to reload the modules for each mutant. Otherwise, Stryker would start a new process for some mutants.
   * Reloading is not needed: `ignoreStatic` excludes the mutants in code that runs only when its module is loaded.
   */
  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.context = globalThis.__stryker__ ??= {};
    // A mutant may leave behind promises that reject later, which must not end the process.
    process.on('unhandledRejection', () => {});
    const initial = { ...process.env };
    for (const file of globSync('test/in-process/lambda/*.test.ts', { exclude: SLOW })) {
      setEnvironment(initial);
      const tests = await collectTests(file, pathToFileURL(resolve(file)).href);
      const blocks = new Set(tests.flatMap((each) => each.blocks));
      for (const run of [...blocks].flatMap((each) => each.hooks.beforeAll)) await run();
      const environment = { ...process.env };
      for (const each of tests) this.#tests.set(each.id, { ...each, file, environment, ms: 0 });
    }
  }

  /** Runs every test twice, because a test that passes only the first time would seem to kill every mutant. */
  async dryRun() {
    const results = [];
    for (const test of this.#tests.values()) {
      this.context.currentTestId = test.id;
      const again = (failure) => failure && `the test fails when it runs for the second time: ${failure}`;
      const failureMessage = (await run(test)) ?? again(await run(test));
      results.push({
        ...{ id: test.id, name: test.id, fileName: resolve(test.file), timeSpentMs: test.ms },
        ...(failureMessage === undefined ? { status: 0 } : { status: 1, failureMessage }),
      });
    }
    return { status: 'complete', tests: results, mutantCoverage: this.context.mutantCoverage };
  }

  /** Runs the fastest tests first, until one fails. */
  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    const tests = testFilter.map((id) => this.#tests.get(id)).sort((a, b) => a.ms - b.ms);
    for (const [index, test] of tests.entries()) {
      Object.assign(this.context, {
        activeMutant: activeMutant.id,
        hitCount: 0,
        hitLimit: Math.min(hitLimit, MAX_HITS),
      });
      const failureMessage = await run(test);
      const isLoop = this.context.hitCount > this.context.hitLimit;
      Object.assign(this.context, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
      if (isLoop) return { status: 'timeout', reason: 'the mutant causes an endless loop' };
      if (failureMessage === undefined) continue;
      if (failureMessage === STUCK) return { status: 'timeout', reason: STUCK };
      const without = await run(test);
      // An earlier mutant has changed the state of the process. Stryker tests the current mutant again in a new process.
      if (without !== undefined) throw new Error(`${test.id} also fails without the mutant: ${without}`);
      return { status: 'killed', killedBy: [test.id], failureMessage, nrOfTests: index + 1 };
    }
    return { status: 'survived', nrOfTests: tests.length };
  }
}

function setEnvironment(environment) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** @returns why the test failed, or undefined if it passed */
async function run(test) {
  setEnvironment(test.environment);
  const hooks = (name) => test.blocks.flatMap((each) => each.hooks[name]);
  const startedAt = performance.now();
  const steps = async () => {
    try {
      for (const step of [...hooks('beforeEach'), test.run]) await step();
    } finally {
      for (const step of hooks('afterEach').reverse()) await step();
    }
  };
  try {
    await inTime(steps());
    test.ms = performance.now() - startedAt;
    return undefined;
  } catch (error) {
    return String(error?.message ?? error);
  }
}

async function inTime(running) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = startTimer(() => reject(new Error(STUCK)), TIMEOUT_MS);
  });
  try {
    await Promise.race([running, timeout]);
  } finally {
    stopTimer(timer);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
