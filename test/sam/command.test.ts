import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { missingForSam } from '../../scripts/sam/missing.ts';
import { samArguments } from '../../scripts/sam/arguments.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';

const project = join(import.meta.dirname, '../..');

describe('missingForSam', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plant-store-path-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test('reports a missing SAM CLI and Docker', async () => {
    const missing = (await missingForSam({ PATH: folder })).join('\n');
    expect(missing).toMatch(/SAM CLI is not installed: see https:/);
    expect(missing).toMatch(/Docker is not installed: see https:/);
  });

  test('reports a Docker daemon that is not running', async () => {
    install('sam', 'exit 0');
    install('docker', 'test "$1" = --version');
    const missing = (await missingForSam({ PATH: folder })).join('\n');
    expect(missing).not.toMatch(/installed: see/);
    expect(missing).toMatch(/Docker is installed but not running: start it/);
  });

  test('reports nothing if SAM and Docker run', async () => {
    install('sam', 'exit 0');
    install('docker', 'exit 0');
    expect((await missingForSam({ PATH: folder })).join('\n')).not.toMatch(/SAM|Docker/);
  });

  function install(command: string, script: string): void {
    writeFileSync(join(folder, command), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, command), 0o755);
  }
});

describe('samArguments', () => {
  test.each(['invoke', 'start-api'])('names existing files for %s', (command) => {
    const options = optionsOf(samArguments(command, []));
    const { '--template': template = '', '--env-vars': variables = '', '--event': event } = options;

    expect(existsSync(join(synthesizedAssembly(), basename(template)))).toBe(true);
    expect(existsSync(join(project, variables))).toBe(true);
    expect(event === undefined || existsSync(join(project, event))).toBe(true);
  });

  test('takes an event and options of its own', () => {
    const args = samArguments('invoke', ['events/create-plant-conflict.json', '--debug']);
    expect(optionsOf(args)).toMatchObject({ '--event': 'events/create-plant-conflict.json' });
    expect(args.at(-1)).toBe('--debug');
  });
});

function optionsOf(args: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(
    args.flatMap((arg, index) => (arg.startsWith('--') ? [[arg, args[index + 1]]] : [])),
  );
}
