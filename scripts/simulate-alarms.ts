/** `npm run simulate:alarms`: prints how soon and how often the alarms of prod send mails, for docs/operations.md. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../emulator/index.ts';
import { templateFile } from '../lib/names.ts';
import { tables } from './simulate-alarms/tables.ts';
import { alarmsOf } from './simulate-alarms/template-alarms.ts';

const output = await mkdtemp(join(tmpdir(), 'plant-store-alarms-'));
try {
  await synthesize({ project: join(import.meta.dirname, '..'), output, context: { stage: 'prod' } });
  const template = JSON.parse(await readFile(join(output, templateFile('prod')), 'utf8'));
  console.log(tables(alarmsOf(template.Resources)));
} finally {
  await rm(output, { recursive: true, force: true });
}
