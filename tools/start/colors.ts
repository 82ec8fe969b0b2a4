import { styleText } from 'node:util';

/**
 * Colors text if the stream is a terminal, not a file or a pipe. As in Node's own output, FORCE_COLOR turns on colors
 * in files and pipes too, and NO_COLOR turns off all colors.
 */
export function colored(
  color: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stderr,
): string {
  return styleText(color, text, { stream });
}
