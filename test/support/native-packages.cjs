/**
 * Packages that Jest would load again for every test file, which takes seconds each time for the CDK: Node loads
 * these, once for all test files of a worker. This is a transformer, which replaces their code by a reference.
 */
const code = (path) => ({ code: `module.exports = globalThis.nativeRequire(${JSON.stringify(path)});` });
module.exports = { process: (_source, path) => code(path) };
