import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { PlantsTable } from '../tables/plants-table.ts';
import { dynamodbEndpoint } from './dynamodb-endpoint.ts';
import { NodeFunction } from './node-function.ts';

export interface CreatePlantFunctionProps {
  readonly plants: PlantsTable;
  readonly config: StageConfig;
}

/** Creates plants: it may put an item into the plants table and do nothing else to it. */
export class CreatePlantFunction extends NodeFunction {
  constructor(scope: Construct, id: string, { plants, config }: CreatePlantFunctionProps) {
    super(scope, id, {
      name: 'create-plant',
      description: 'POST /plants: creates a plant',
      environment: { PLANTS_TABLE: plants.tableName, ...dynamodbEndpoint(scope) },
      config,
    });
    plants.grant(this, 'dynamodb:PutItem');
  }
}
