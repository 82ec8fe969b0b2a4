const { flushCompileCache } = require('node:module');
const { TestEnvironment } = require('jest-environment-node');

/** Shared by all test files of a worker. */
const templates = new Map();

// Jest no longer listens once it has ended a worker, and terminates it after 0.5 s. In that time, Node would complete a
// garbage collection and free the heap, which takes at least 0.4 s for 500 MB.
if (process.send !== undefined) {
  process.on('removeListener', (event) => {
    if (event === 'message' && process.listenerCount(event) === 0) process.exit();
  });
}

/** In a terminal, Jest sets this variable for its workers, to color their reports. The variable overrides NO_COLOR. */
const { FORCE_COLOR } = process.env;

/**
 * Gives tests Node's `require`, for native-packages.cjs; the process's real environment variables, which native
 * packages read; and the templates of test/template/stack-template.ts. Tests and the processes that they start write no
 * colors.
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
    // Otherwise, Node would write the compile cache when the worker exits, which takes seconds the first time.
    flushCompileCache();
  }

  async handleTestEvent({ name }) {
    // By now, Jest has already read this variable.
    if (name === 'setup') withoutColors(process.env);
  }
};

/** Node's modules and native packages throw errors of another realm, which `instanceof Error` must also accept. */
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
