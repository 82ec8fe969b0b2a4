declare module 'dynalite' {
  import type { Server } from 'node:http';

  export default function dynalite(options: { createTableMs?: number }): Server;
}

declare module 'js-yaml' {
  /** Like `JSON.parse`. */
  export function load(yaml: string): ReturnType<typeof JSON.parse>;
}
