import { styleText } from 'node:util';

/**
 * Colors text for a stream: on a terminal, not in a file or pipe. FORCE_COLOR overrides both, and NO_COLOR turns colors
 * off, as for Node's own output.
 */
export function colored(
  color: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stderr,
): string {
  return styleText(color, text, { stream });
}

/** Whether `colored` colors stderr, for packages that color their own output. */
export function hasColors(): boolean {
  return colored('red', 'text') !== 'text';
}
