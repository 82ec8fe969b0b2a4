/** `npm run bench:start`: measures how long `npm start` takes until it is ready, and a save until it is live. */
import '../tools/bench/start.ts';
