const { flushCompileCache } = require('node:module');
const { TestEnvironment } = require('jest-environment-node');

/** In a terminal, Jest sets this variable for its workers, to color their reports. The variable overrides NO_COLOR. */
const { FORCE_COLOR } = process.env;

/**
 * Gives tests access to Node's `require` (for native-packages.cjs) and to the process's real environment variables
 * (which native packages read). Also disables colors in the output of tests and of the processes that they start.
 */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.environmentVariables = { ...process.env };
    this.global.process.env = process.env;
    this.global.nativeRequire = require;
    acceptErrorsOfNode(this.global.Error);
    withoutColors(process.env);
    if (FORCE_COLOR !== undefined) process.env.FORCE_COLOR = FORCE_COLOR;
  }

  async teardown() {
    await super.teardown();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, this.environmentVariables);
    // Otherwise, Node would write the compile cache when the worker exits, which can take seconds.
    flushCompileCache();
  }

  async handleTestEvent({ name }) {
    // Jest reads FORCE_COLOR before this event.
    if (name === 'setup') withoutColors(process.env);
  }
};

/** Node's modules and native packages throw errors from a different realm. Makes `instanceof Error` accept them too. */
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
