const { TestEnvironment } = require('jest-environment-node');

/** Node's own `require`, for native-packages.cjs. */
module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.nativeRequire = require;
  }
};
