import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { settingsFrom } from 'stack-emulator';
import { codeBlocks, documents, inlineCode, PROJECT, read } from '../support/pages/code-blocks.ts';

test('the pages link only to files, folders and headings that exist', () => {
  const links = documents.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(
      ([link, path, anchor]) => ({
        link: `${page}: ${link}`,
        target: path ? join(page, '..', path) : page,
        anchor,
      }),
    ),
  );
  const broken = links.filter(
    ({ target, anchor }) =>
      !existsSync(join(PROJECT, target)) ||
      (anchor !== undefined && !anchorsOf(target).includes(anchor)),
  );
  expect(links).not.toEqual([]);
  expect(broken).toEqual([]);
});

test('the code in the pages names only files and folders that exist', () => {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard');
  // Not in this repository, or made by the commands in the page.
  const elsewhere =
    /^(application\/json|amazon\/dynamodb-local|origin\/main|repos\/OWNER\/NAME|plant-store\/|cdk\.out\/.*|docs\/verified\b.*)$/;
  const named = documents.flatMap((page) => {
    const blocks = codeBlocks(page).filter(({ language }) => language === 'sh');
    const words = [...inlineCode(page), ...blocks.map(({ code }) => code)].join(' ').split(/\s+/);
    const paths = words.filter(
      (word) => /^[a-z.][\w.-]*\/[\w./-]*$/.test(word) && !elsewhere.test(word),
    );
    return paths.map((path) => ({ page, path }));
  });
  // A page can leave out the folder that it is about, as in `create-plant/`.
  const missing = named.filter(({ path }) => {
    const name = `/${path.replace(/\/$/, '')}`;
    return !files.some((file) => `/${file}/`.includes(`${name}/`));
  });
  expect(named).not.toEqual([]);
  expect(missing).toEqual([]);
});

test('the code in the pages names only variables that a file other than a page contains', () => {
  // Placeholders, and names of Git's, AWS's and SAM's.
  const elsewhere =
    /^(LOGICAL_ID|ROLE_ARN|TABLE_ARN|FETCH_HEAD|CAPABILITY_IAM|REVERT_DRIFT|AWS_PAGER|\w+_(FAILED|IN_PROGRESS|COMPLETE))$/;
  const known = new Set(git('grep', '-ohE', '[A-Z][A-Z0-9]*(_[A-Z0-9]+)+', ':!*.md'));
  const unknown = documents.flatMap((page) =>
    [...inlineCode(page), ...codeBlocks(page).map(({ code }) => code)]
      .flatMap((code) => code.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g) ?? [])
      .filter((name) => !known.has(name) && !elsewhere.test(name))
      .map((name) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('the URLs in the pages have the port of npm start, or a domain without a stage', () => {
  const local = `http://127.0.0.1:${settingsFrom({}, '').port}/`;
  const urls = documents.flatMap(inlineCode).filter((code) => /^https?:.*(127|plants)/.test(code));
  const isRight = (url: string) => url.startsWith(local) || /^https:[/]{2}[^/]+$/.test(url);
  expect(urls.filter((url) => !isRight(url))).toEqual([]);
});

test('the code links to every decision, and only to headings that exist', () => {
  const links = git('grep', '-hoE', 'docs/[a-z-]+\\.md#[a-z0-9-]+', ':!*.md');
  const broken = links.filter((link) => {
    const [page = '', anchor = ''] = link.split('#');
    return !anchorsOf(page).includes(anchor);
  });
  const [, ...decisions] = anchorsOf('docs/decisions.md');
  const unused = decisions.filter((each) => !links.includes(`docs/decisions.md#${each}`));
  expect([broken, unused]).toEqual([[], []]);
});

test('the code in the README is in lambda/ or lib/ exactly as shown', () => {
  const trimmed = (code: string) => code.replaceAll(/^ +/gm, '');
  const code = globSync('{lambda,lib}/**/*.ts', { cwd: PROJECT }).map((file) =>
    trimmed(read(file)),
  );
  const shown = codeBlocks('README.md').filter(({ language }) => language === 'ts');
  const outdated = shown.filter(
    (block) => !code.some((file) => file.includes(trimmed(block.code))),
  );
  expect(shown).not.toEqual([]);
  expect(outdated).toEqual([]);
});

// adopt.test.ts follows the guide, so TypeScript compiles this code, and the guide's tests run it.
test.each([
  ['jsonOperation', 'lambda/shared/http/json-operation.ts'],
  ['pipeline', 'lambda/shared/http/pipeline.ts'],
  ['operationProbe', 'lambda/pre-traffic/probes.ts'],
])('the guide to adding an operation contains the @example of %s', (name, file) => {
  const guide = globSync('docs/add-an-operation{.md,/**/*.ts}', { cwd: PROJECT }).map(read);
  const [, comment = ''] = /@example\n(.*?)\s*\*\//s.exec(read(file)) ?? [];
  const example = comment.replaceAll(/^ \* /gm, '');
  expect(example).toContain(name);
  expect(guide.filter((text) => text.includes(example))).toHaveLength(1);
});

test('docs/README.md lists every page', () => {
  const pages = globSync('docs/*.md', { cwd: PROJECT }).map((page) => page.slice('docs/'.length));
  const listed = read('docs/README.md');
  expect(pages.filter((page) => page !== 'README.md' && !listed.includes(`(${page})`))).toEqual([]);
});

/** Returns the anchors that GitHub generates for a page's headings. */
function anchorsOf(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Returns the lines that Git prints. */
function git(...args: readonly string[]): string[] {
  const options = { cwd: PROJECT, encoding: 'utf8', maxBuffer: 1e8 } as const;
  return execFileSync('git', args, options).trimEnd().split('\n');
}
