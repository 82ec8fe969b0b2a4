/** The one write of createPlant in DynamoDB's own words. */
import type { NewPlant } from '../../lambda/create-plant/create-plant.ts';

export const putItem = (TableName: string, { id, name, tag }: NewPlant) => ({
  TableName,
  Item: { id: { N: `${id}` }, name: { S: name }, ...(tag === undefined ? {} : { tag: { S: tag } }) },
  ConditionExpression: `attribute_not_exists(#id) OR (#name = :name AND ${
    tag === undefined ? 'attribute_not_exists(#tag)' : '#tag = :tag'
  })`,
  ExpressionAttributeNames: { '#id': 'id', '#name': 'name', '#tag': 'tag' },
  ExpressionAttributeValues: { ':name': { S: name }, ...(tag === undefined ? {} : { ':tag': { S: tag } }) },
  ReturnValues: 'ALL_OLD' as const,
});
