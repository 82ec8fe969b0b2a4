/**
 * `npm run lint:prose`: searches pages, comments, messages and test titles for the phrases listed in `.prh.yml`, and
 * prints what to write instead.
 */
import { globSync, readFileSync } from 'node:fs';
import { fromYAMLFilePath } from 'prh';

const FILES = [
  '{*,{bin,client,docs,lambda,lib,test,tools}/**/*}.{md,ts,js,mjs,cjs,html}',
  '.github/workflows/*.yml',
  'openapi.json',
];
const UNREAD = /node_modules|lambda.generated|CHANGELOG/;

const rules = fromYAMLFilePath('.prh.yml');
for (const file of globSync(FILES).filter((name) => !UNREAD.test(name))) {
  const text = readFileSync(file, 'utf8');
  for (const { index, matches, newText } of rules.makeChangeSet(file, text).diffs) {
    const line = text.slice(0, index).split('\n').length;
    console.error(`${file}:${line}: "${matches[0]?.trim()}"; write: ${newText}`);
    process.exitCode = 1;
  }
}
