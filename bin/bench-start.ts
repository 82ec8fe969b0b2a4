/**
 * `npm run bench:start`: measures how long `npm start` takes to become ready, and how long a saved change takes to
 * go live.
 */
import '../tools/bench/start.ts';
