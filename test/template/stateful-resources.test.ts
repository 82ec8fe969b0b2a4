import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Json, stackResources } from '../support/template-resources.ts';
import { destructiveChanges, type StatefulResource, statefulResources } from './stateful-resources.ts';

/** The deployed tables. To change or drop one on purpose, edit the file, and have that reviewed. */
const record: Record<string, StatefulResource[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'stateful-resources.json'), 'utf8'),
);

describe.each(['dev', 'prod'])('deploying %s', (stage) => {
  const resources = stackResources({ stage });
  const recorded = record[stage] ?? [];

  test('neither replaces, drops nor unprotects a table of stateful-resources.json', () => {
    expect(destructiveChanges(recorded, resources)).toEqual([]);
    expect(statefulResources(resources)).toEqual(recorded);
  });

  test.each<[string, (tables: Json) => void, string]>([
    ['dropping a table', (tables) => delete tables.Tokens1180AAEA, 'Tokens1180AAEA would be dropped'],
    [
      'another logical id',
      (tables) => {
        tables.Renamed = tables.PlantsF7D2F15D;
        delete tables.PlantsF7D2F15D;
      },
      'PlantsF7D2F15D would be dropped',
    ],
    [
      'another key',
      ({ PlantsF7D2F15D }) => {
        PlantsF7D2F15D.Properties.AttributeDefinitions[0].AttributeType = 'S';
      },
      'PlantsF7D2F15D would be replaced: key from id HASH N to id HASH S',
    ],
    [
      'a sort key',
      ({ PlantsF7D2F15D: { Properties } }) => {
        Properties.KeySchema.push({ AttributeName: 'id', KeyType: 'RANGE' });
      },
      'PlantsF7D2F15D would be replaced: key from id HASH N to id HASH N,id RANGE N',
    ],
    [
      'a name of its own',
      ({ PlantsF7D2F15D }) => {
        PlantsF7D2F15D.Properties.TableName = 'plants';
      },
      'PlantsF7D2F15D would be replaced: tableName',
    ],
    [
      'another removal policy',
      ({ Tokens1180AAEA }) => {
        Tokens1180AAEA.DeletionPolicy = 'Snapshot';
      },
      'Tokens1180AAEA would have other protection: deletionPolicy',
    ],
  ])('is reported as destructive with %s', (_what, change, message) => {
    const template = Object.fromEntries(
      resources.map((resource) => [resource.logicalId, structuredClone(resource)]),
    );
    change(template);
    const changed = Object.entries(template).map(([logicalId, resource]) => ({ ...resource, logicalId }));

    expect(destructiveChanges(recorded, changed)).toContainEqual(expect.stringContaining(message));
  });
});
