// The entry of every function. Init waits for a top-level await, which the bundle cannot have: it is
// CommonJS, because that starts faster. `import 'node:module'` would load more than is needed here.
const { createRequire } = process.getBuiltinModule('node:module');
const { handler, warmUp } = createRequire(import.meta.url)('./function.cjs');

await warmUp?.();

export { handler };
