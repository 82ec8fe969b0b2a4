import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../support/pages/code-blocks.ts';

const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const guide = globSync('docs/add-an-operation{.md,/**/*.ts}', { cwd: PROJECT }).map(read);

// adopt.test.ts follows the guide, so TypeScript compiles this code, and the guide's tests run it.
test.each([
  ['lambda/shared/http/json-operation.ts', 'jsonOperation'],
  ['lambda/shared/http/pipeline.ts', 'pipeline'],
  ['lambda/pre-traffic/probes.ts', 'operationProbe'],
])('the example in %s calls %s with code of the guide to adding an operation', (file, name) => {
  const [, comment = ''] = /@example\n(.*?)\s*\*\//s.exec(read(file)) ?? [];
  const example = comment.replaceAll(/^ \* /gm, '');
  expect(example).toContain(name);
  expect(guide.filter((text) => text.includes(example))).toHaveLength(1);
});
