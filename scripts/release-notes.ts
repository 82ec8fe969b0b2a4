/** `npm run release:notes -- v1.2.3`: prints the section of CHANGELOG.md that describes a release. */
import { readFileSync } from 'node:fs';
import { sectionOf } from './changelog.ts';

const [tag = ''] = process.argv.slice(2);
const notes = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), tag.replace(/^v/, ''));
if (notes) {
  console.log(notes);
} else {
  console.error(
    `CHANGELOG.md has no entries under "## [${tag.replace(/^v/, '')}]": move those of Unreleased there`,
  );
  process.exitCode = 1;
}
