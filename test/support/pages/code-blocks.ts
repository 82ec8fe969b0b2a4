import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '../../..');

export function read(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8');
}

export interface CodeBlock {
  /** The file and line where the block starts, such as `docs/api.md:12`. */
  readonly at: string;
  readonly language: string;
  readonly code: string;
  /** The content of the block directly below, if that block shows the output of this one. */
  readonly output: string | undefined;
}

/** A block can be indented, in a list. */
const CODE_BLOCK = /^ *```(\w*)\n(.*?)^ *```$/gms;
const OUTPUT_LANGUAGES = ['text', 'json'];

export const documents = globSync('{*,docs/**/*,tools/*,{tools,packages}/*/*}.md', {
  cwd: PROJECT,
}).sort();

export function codeBlocks(document: string): readonly CodeBlock[] {
  const text = read(document);
  const blocks = [...text.matchAll(CODE_BLOCK)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    language: match[1] ?? '',
    code: match[2] ?? '',
  }));
  return blocks.map(({ start, end, language, code }, index) => {
    const next = blocks[index + 1];
    const follows = next !== undefined && text.slice(end, next.start).trim() === '';
    return {
      at: `${document}:${text.slice(0, start).split('\n').length}`,
      language,
      code,
      output: follows && OUTPUT_LANGUAGES.includes(next.language) ? next.code : undefined,
    };
  });
}

/** Returns what is between backticks in a page's sentences and tables. */
export function inlineCode(document: string): string[] {
  const text = read(document).replaceAll(CODE_BLOCK, '');
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

/** Returns the rows of a page's tables: the cell under each heading. */
export function tableRows(document: string): Readonly<Record<string, string>>[] {
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const tables = read(document).match(/(?:^\|.*\n)+/gm) ?? [];
  return tables.flatMap((table) => {
    const [headings = '', , ...rows] = table.trimEnd().split('\n');
    const names = cellsOf(headings);
    return rows.map((row) =>
      Object.fromEntries(cellsOf(row).map((cell, index) => [names[index] ?? '', cell])),
    );
  });
}
