import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Change, changedAssembly } from '../support/assembly/changed-assembly.ts';
import { exampleBody, exampleOperation } from '../support/service/contract.ts';
import { startService } from '../support/service/service.ts';

const throttle: Change = (find) => {
  for (const { Properties } of find('AWS::ApiGateway::Stage')) {
    Object.assign(Properties.MethodSettings[0], {
      ThrottlingRateLimit: 0.001,
      ThrottlingBurstLimit: 1,
    });
  }
};
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

// observability.test.ts covers 1500, 2413 and 2500; test/oidc/ covers 2403.
test.each<[number, number, string, Change, string | undefined]>([
  [429, 2429, 'there are too many requests', throttle, '1'],
  [502, 2502, 'the function cannot run', removeHandler, undefined],
  [504, 2504, 'the function times out', sleep, undefined],
])(
  'API Gateway returns %d with error %d if %s',
  async (status, error, _reason, change, retryAfter) => {
    const assembly = await changedAssembly(change);
    const service = await startService({ assembly: assembly.folder });
    try {
      // If requests are throttled, only the first one is accepted.
      await service.send({ body: exampleBody });
      const response = await service.send({ body: exampleBody });
      const { headers } = response;
      expect([response.status, response.body.error, headers['retry-after']]).toEqual([
        status,
        error,
        retryAfter,
      ]);
    } finally {
      await service.stop();
      await assembly.remove();
    }
  },
);
