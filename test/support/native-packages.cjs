/**
 * A transformer that replaces a package's code with a reference to the package that Node has loaded. Jest would load
 * the package again for each test file, which takes seconds for the CDK. Node loads it only once per worker.
 */
const code = (path) => ({ code: `module.exports = globalThis.nativeRequire(${JSON.stringify(path)});` });
module.exports = { process: (_source, path) => code(path) };
