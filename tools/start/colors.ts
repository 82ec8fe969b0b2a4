import { styleText } from 'node:util';

type Color = Parameters<typeof styleText>[0];
type Stream = NodeJS.WriteStream;

/**
 * Colors text for a stream: on a terminal, not in a file or pipe. FORCE_COLOR overrides both, and NO_COLOR turns colors
 * off, as in what Node itself writes.
 */
export function colored(color: Color, text: string, stream: Stream = process.stderr): string {
  return styleText(color, text, { stream });
}

/** Whether `colored` adds colors, for packages that color by themselves. */
export function hasColors(stream: Stream = process.stderr): boolean {
  return colored('red', 'text', stream) !== 'text';
}
