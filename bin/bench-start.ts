/** `npm run bench:start`: measures how long `npm start` takes to be ready, and a saved change to be live. */
import '../tools/bench/start.ts';
