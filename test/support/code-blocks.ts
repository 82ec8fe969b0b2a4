import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '../..');

/** A fenced code block in a Markdown file. */
export interface CodeBlock {
  /** The file and line where the block starts, such as `docs/api.md:12`. */
  readonly at: string;
  readonly language: string;
  readonly code: string;
  /** The content of the block directly below, if that block shows the output of this one. */
  readonly output: string | undefined;
}

const OUTPUT_LANGUAGES = ['text', 'json'];

/** All Markdown pages. */
export const documents = globSync(['*.md', 'docs/**/*.md', 'tools/*.md', 'tools/*/*.md'], {
  cwd: PROJECT,
}).sort();

export function codeBlocks(document: string): readonly CodeBlock[] {
  const text = readFileSync(join(PROJECT, document), 'utf8');
  const blocks = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map((match) => ({
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
