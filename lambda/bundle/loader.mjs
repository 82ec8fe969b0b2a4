// The entry point of every function. Its top-level await makes init wait for the warm-up. The bundle cannot await: it
// is CommonJS, which starts faster. `import 'node:module'` would load more code than this file needs.
const { createRequire } = process.getBuiltinModule('node:module');
const { handler, warmUp } = createRequire(import.meta.url)('./function.cjs');

await warmUp?.();

export { handler };
