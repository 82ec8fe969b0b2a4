// What Lambda loads of every function. An init waits for a top-level await, which the bundle itself, being
// CommonJS for a faster start, can't have. `import 'node:module'` would load what it doesn't need.
const { createRequire } = process.getBuiltinModule('node:module');
const { handler, prime } = createRequire(import.meta.url)('./function.cjs');

await prime?.();

export { handler };
