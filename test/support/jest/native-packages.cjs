/**
 * A transformer that replaces a package's code with a reference to the package that Node has loaded. Node loads a
 * package only once per worker. Jest would load it again for each test file, which takes seconds for the CDK.
 */
const code = (path) => ({
  code: `module.exports = globalThis.nativeRequire(${JSON.stringify(path)});`,
});
module.exports = { process: (_source, path) => code(path) };
