/** `npm run bench`: measures the figures of docs/performance.md. */
import '../tools/bench/run.ts';
