const { TestEnvironment } = require('jest-environment-node');

/** In a terminal, Jest sets this variable for its workers. It overrides NO_COLOR. */
const { FORCE_COLOR } = process.env;

/** Disables colors in what tests and the processes that they start print, but not in Jest's reports. */
module.exports = class extends TestEnvironment {
  handleTestEvent({ name }) {
    // Jest reads FORCE_COLOR before this event.
    if (name !== 'setup') return;
    for (const { env } of [process, this.global.process]) {
      delete env.FORCE_COLOR;
      env.NO_COLOR = '1';
    }
  }

  async teardown() {
    if (FORCE_COLOR !== undefined) process.env.FORCE_COLOR = FORCE_COLOR;
    await super.teardown();
  }
};
