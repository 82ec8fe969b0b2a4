// The entry point of every function. Its top-level await makes Lambda's init phase wait for the warm-up. The bundle
// cannot do that: it is CommonJS, which starts faster but has no top-level await. `import 'node:module'` would load
// more code than this file needs.
const { createRequire } = process.getBuiltinModule('node:module');
const { handler, warmUp } = createRequire(import.meta.url)('./function.cjs');

await warmUp?.();

export { handler };
