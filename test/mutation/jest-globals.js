import { ModernFakeTimers } from '@jest/fake-timers';
import { expect } from 'expect';
import { bind } from 'jest-each';
import { ModuleMocker } from 'jest-mock';

/** What test files get as `@jest/globals` in runner.js: it collects their tests, which can then run again and again. */

const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];

/** A test file or a `describe` of it, with the one that it stands in. */
const blockIn = (parent, name) => ({
  parent,
  name,
  hooks: Object.fromEntries(HOOKS.map((hook) => [hook, []])),
});

let block;
let tests;

/** Imports a test file. @returns its tests, each with its name in full, its function and its blocks, outermost first */
export async function collectTests(name, url) {
  tests = [];
  block = blockIn(undefined, name);
  await import(url);
  return tests;
}

function chainOf(innermost) {
  return innermost === undefined ? [] : [...chainOf(innermost.parent), innermost];
}

export const describe = (name, define) => {
  const outer = block;
  block = blockIn(outer, name);
  define();
  block = outer;
};
describe.each = bind(describe, false);

export const test = (name, run) => {
  const blocks = chainOf(block);
  tests.push({ id: [...blocks.map((each) => each.name), name].join(' '), run, blocks });
};
test.each = bind(test, false);

const hook = (name) => (run) => block.hooks[name].push(run);
export const [beforeAll, beforeEach, afterEach, afterAll] = HOOKS.map(hook);

const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });
export const jest = {
  spyOn: (...args) => mocker.spyOn(...args),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: () => timers.useFakeTimers(),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  getTimerCount: () => timers.getTimerCount(),
};
export { expect };
