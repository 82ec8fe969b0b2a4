const { TestEnvironment } = require('jest-environment-node');

/** For all test files of a worker. */
const templates = new Map();

/** Passes on Node's own `require`, for native-packages.cjs, and the templates of test/template/stack-template.ts. */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.nativeRequire = require;
    this.global.templatesOfWorker = templates;
  }
};
