import { styleText } from 'node:util';

/**
 * Colors text if the stream is a terminal, not a file or a pipe. As for Node's own output, FORCE_COLOR turns colors on
 * in a file or pipe too, and NO_COLOR turns them off.
 */
export function colored(
  color: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stderr,
): string {
  return styleText(color, text, { stream });
}

/** Whether `colored` colors text for stderr. Packages that color their own output need to know this. */
export function hasColors(): boolean {
  return colored('red', 'text') !== 'text';
}
