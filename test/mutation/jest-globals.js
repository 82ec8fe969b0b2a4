import { expect } from 'expect';
import { bind } from 'jest-each';
import { ModuleMocker } from 'jest-mock';

/** Replaces `@jest/globals` in mutation testing. This module collects the tests of a file instead of running them. */

const HOOKS = ['beforeAll', 'beforeEach', 'afterEach', 'afterAll'];

/** Returns the block for a test file (without a parent) or for a `describe`. */
const blockIn = (parent, name) => ({
  parent,
  name,
  hooks: Object.fromEntries(HOOKS.map((hook) => [hook, []])),
});

let block;
let tests;

/** Imports a test file. @returns its tests, each with its full name, its function and its blocks (outermost first) */
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
export const jest = {
  spyOn: (...args) => mocker.spyOn(...args),
  restoreAllMocks: () => mocker.restoreAllMocks(),
};
export { expect };
