import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Change, changedAssembly } from '../support/assembly/changed-assembly.ts';
import { exampleBody, exampleOperation } from '../support/service/contract.ts';
import { startService } from '../support/service/service.ts';

const removeHandler: Change = (find) => {
  for (const { Properties } of find('AWS::Lambda::Function', exampleOperation.id))
    Properties.Handler = 'index.no';
};
const sleep: Change = (find, assembly) => {
  mkdirSync(join(assembly, 'sleeping'));
  writeFileSync(
    join(assembly, 'sleeping/index.mjs'),
    'export const handler = () => new Promise(() => {});',
  );
  for (const { Metadata } of find('AWS::Lambda::Function', exampleOperation.id))
    Metadata['aws:asset:path'] = 'sleeping';
  for (const { Properties } of find('AWS::ApiGateway::Method'))
    Properties.Integration.TimeoutInMillis = 50;
};

// observability.test.ts covers 1500, 2413 and 2500; test/oidc/ covers 2403. The emulator does not throttle.
test.each<[number, number, string, Change]>([
  [502, 2502, 'the function cannot run', removeHandler],
  [504, 2504, 'the function times out', sleep],
])('API Gateway returns %d with error %d if %s', async (status, error, _reason, change) => {
  const service = await startService({ assembly: changedAssembly(change) });
  try {
    const response = await service.send({ body: exampleBody });
    expect([response.status, response.body.error]).toEqual([status, error]);
  } finally {
    await service.stop();
  }
});
