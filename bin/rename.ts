/**
 * `npm run rename -- 'Garden Store'`: renames Plant Store in the names and contents of all files that Git tracks. Imports
 * nothing from the project, because it also renames a newer commit, whose packages may not be installed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const OLD = 'Plant Store';
const [name = '', ...others] = process.argv.slice(2);

if (others.length > 0 || !/^[A-Z][a-z]+( [A-Z][a-z]+)+$/.test(name)) {
  console.error(
    `rename: expected two or more capitalized words, such as 'Garden Store', got '${name}'`,
  );
  process.exit(1);
}
const tracked = spawnSync('git', ['ls-files', '-z'], { encoding: 'utf8' });
if (!tracked.stdout) {
  console.error('rename: Git tracks no file here; run git init && git add . and try again');
  process.exit(1);
}
for (const file of tracked.stdout.split('\0').filter(Boolean)) {
  // Each byte is one character, so that pictures stay as they are.
  const content = readFileSync(file, 'latin1');
  const renamed = rename(content);
  if (renamed !== content) writeFileSync(file, renamed, 'latin1');
  if (rename(file) !== file) execFileSync('git', ['mv', file, rename(file)]);
}
console.log(`Renamed to ${name}. Now run npm run format && npm run generate, and commit.`);

function rename(text: string): string {
  const spellings = spellingsOf(name);
  return spellingsOf(OLD).reduce(
    (result, spelling, index) => result.replaceAll(spelling, spellings[index] ?? ''),
    text,
  );
}

function spellingsOf(title: string): string[] {
  const pascal = title.replaceAll(' ', '');
  const camel = pascal.replace(/^./, (letter) => letter.toLowerCase());
  const kebab = title.toLowerCase().replaceAll(' ', '-');
  return [
    title,
    pascal,
    camel,
    pascal.toLowerCase(),
    kebab,
    kebab.replaceAll('-', '_').toUpperCase(),
  ];
}
