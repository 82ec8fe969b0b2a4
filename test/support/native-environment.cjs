const { flushCompileCache } = require('node:module');
const { TestEnvironment } = require('jest-environment-node');

/** For all test files of a worker. */
const templates = new Map();

// In a worker, as Node would first free the heap: 0.4 s for 500 MB, and Jest ends a worker after 0.5 s.
if (process.send !== undefined) process.once('exit', (code) => process.exit(code));

/** On a terminal, Jest gives it to its workers, for their reports; it overrides NO_COLOR. */
const { FORCE_COLOR } = process.env;

/**
 * Passes on Node's own `require`, for native-packages.cjs, and its own environment, which native packages read; and the
 * templates of test/template/stack-template.ts. No colors in what tests and the processes that they start write.
 */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.environmentVariables = { ...process.env };
    this.global.process.env = process.env;
    this.global.nativeRequire = require;
    this.global.templatesOfWorker = templates;
    acceptErrorsOfNode(this.global.Error);
    withoutColors(process.env);
    if (FORCE_COLOR !== undefined) process.env.FORCE_COLOR = FORCE_COLOR;
  }

  async teardown() {
    await super.teardown();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.environmentVariables);
    // Node would write it when the worker exits: seconds the first time.
    flushCompileCache();
  }

  async handleTestEvent({ name }) {
    // Jest has now read whether to color its reports.
    if (name === 'setup') withoutColors(process.env);
  }
};

/** Node's own modules and native packages throw errors of another realm, which `instanceof Error` must accept too. */
function acceptErrorsOfNode(ErrorOfTests) {
  const isInstance = ErrorOfTests[Symbol.hasInstance];
  Object.defineProperty(ErrorOfTests, Symbol.hasInstance, {
    value(error) {
      return this === ErrorOfTests ? Error.isError(error) : isInstance.call(this, error);
    },
  });
}

function withoutColors(env) {
  delete env.FORCE_COLOR;
  env.NO_COLOR = '1';
}
