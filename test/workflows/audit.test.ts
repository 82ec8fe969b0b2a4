import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { PROJECT } from '../support/code-blocks.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { outcomeOf } from '../support/token-command.ts';

// npm remembers advisories.
const cache = mkdtempSync(join(tmpdir(), 'plant-store-audit-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** Runs `npm run audit` against a registry with these advisories, or without an audit endpoint. */
async function audit(advisories: object | undefined, env: Record<string, string> = {}) {
  const registry = createServer((request, response) => {
    request.resume();
    const isAudit = request.url === '/-/npm/v1/security/advisories/bulk' && advisories !== undefined;
    response.writeHead(isAudit ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(isAudit ? advisories : { error: 'not found' }));
  });
  const { url, stop } = await listenOnLoopback(registry);
  const { PATH } = process.env;
  const outcome = await outcomeOf(
    spawn(process.execPath, ['scripts/audit.ts'], {
      cwd: PROJECT,
      env: { PATH, npm_config_cache: cache, npm_config_registry: url, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  await stop();
  return outcome;
}

const advisory = (severity: string) => ({
  '@middy/core': [
    {
      id: severity,
      url: `https://advisory.example/${severity}`,
      title: 'A flaw',
      severity,
      vulnerable_versions: '*',
    },
  ],
});

test.each<[object, number, RegExp]>([
  [{}, 0, /^Audited: no vulnerabilities are known\.$/],
  [advisory('low'), 0, /^Audited: no high or critical vulnerabilities are known\.$/],
  [advisory('critical'), 1, /^0 high and [1-9]\d* critical vulnerabilities: run npm audit/],
])('reports what the registry knows: %j', async (advisories, exitCode, line) => {
  const { code, stdout, stderr } = await audit(advisories, { CI: 'true' });
  expect([code, (stdout + stderr).trim()]).toEqual([exitCode, expect.stringMatching(line)]);
});

test.each<[Record<string, string>, number, RegExp]>([
  [{}, 0, /^NOT AUDITED: /],
  [{ CI: 'true' }, 1, /^NOT AUDITED: /],
  [{ CI: 'true', UNAUDITED_BECAUSE: '' }, 1, /^NOT AUDITED: /],
  [{ CI: 'true', UNAUDITED_BECAUSE: 'a mirror' }, 0, /^NOT AUDITED: .* \(accepted: a mirror\)$/],
])('does not pass silently if the registry has no audit endpoint: %j', async (env, exitCode, line) => {
  const { code, stdout, stderr } = await audit(undefined, env);
  expect([code, stdout, stderr.trim()]).toEqual([exitCode, '', expect.stringMatching(line)]);
});
