import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from './report.ts';
import type { Result } from './run.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Returns a report as a Markdown page to commit: without the address of the API, account ids and tokens. */
export function pageOf({ url, summary, subjects }: Report, stage: string, env: NodeJS.ProcessEnv): string {
  const { host } = new URL(url);
  const [, region = env.AWS_REGION ?? 'unknown'] = /\.execute-api\.([\w-]+)\./.exec(host) ?? [];
  const facts = {
    date: new Date().toISOString().slice(0, 10),
    Region: region,
    'commit checked out': commit(),
    ...cdkVersions(),
    'settled rows': `${summary.same} same, ${summary.differs} differ, ${summary['needs a deployment']} need a deployment`,
    'open questions': `${summary.seen} seen, ${summary.unforeseen} unforeseen`,
  };
  const sections = subjects.map(({ title, results }) => {
    const rows = results.map((result) => rowOf(result, host));
    return `## ${title}\n\n${table(['row', 'result', 'response'], rows)}`;
  });
  return [`# Conformance of ${stage}`, table(['', ''], Object.entries(facts)), ...sections, ''].join('\n\n');
}

function rowOf({ name, verdict, received = '', expected, means }: Result, host: string): readonly string[] {
  const details = verdict === 'same' ? [] : [expected && `expected ${expected}`, means];
  const seen = received.replaceAll(host, '<host>').replaceAll(/\b\d{12}\b/g, '<account>');
  return [name, verdict, [`\`${seen.replaceAll('`', "'")}\``, ...details].filter(Boolean).join('; ')];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, head.map(() => '---'), ...rows];
  return all.map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}

function commit(): string {
  const { stdout, status } = spawnSync(
    'git',
    ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=40'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  return status === 0 ? stdout.trim() : 'unknown';
}

function cdkVersions(): Readonly<Record<string, string>> {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return { 'aws-cdk': devDependencies['aws-cdk'], 'aws-cdk-lib': dependencies['aws-cdk-lib'] };
}
