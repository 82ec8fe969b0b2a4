/**
 * Checks the workflows by the parser that GitHub publishes for editors: keys, events, permissions, expressions,
 * dependencies between jobs. `npm run lint` runs it; arguments replace the files to check.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';

// The packages import JSON as bundlers do; Node requires the attribute.
registerHooks({
  load: (url, context, nextLoad) =>
    nextLoad(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { validate } = await import('@actions/languageservice');

const given = process.argv.slice(2);
const files = given.length > 0 ? given : globSync('.github/workflows/*.yml');
const problems = await Promise.all(files.map(problemsOf));
console.log(problems.flat().join('\n') || `Workflows: ${files.length} files are valid.`);
if (problems.flat().length > 0) process.exitCode = 1;

async function problemsOf(file: string): Promise<string[]> {
  const { href } = pathToFileURL(resolve(file));
  const diagnostics = await validate(TextDocument.create(href, 'yaml', 1, readFileSync(file, 'utf8')));
  return diagnostics.map(({ range, message }) => `${file}:${range.start.line + 1}: ${message}`);
}
