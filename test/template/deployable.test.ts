import { expect, test } from '@jest/globals';
import { parseStack, parseTemplate } from 'stack-emulator';
import { operations } from '../../lambda/generated/operations.ts';
import { stackName } from '../../lib/stage-names.ts';
import { stackTemplate } from '../support/assembly/stack-template.ts';
import { type Json, resourcesOf } from '../support/assembly/template-resources.ts';
import { read } from '../support/pages/code-blocks.ts';
import { everyOptionOfProd, type Options } from './option-combinations.ts';

/**
 * What a deployment must not delete or replace. Some of it holds data, the API's address, confirmed subscriptions or
 * outputs that commands read. The rest would collide with its successor, because CloudFormation creates the successor
 * first: two resources cannot have the same path in an API, for example. To allow a change, edit the JSON file, and
 * have the edit reviewed.
 */
const record: Record<string, Record<string, string>> = JSON.parse(
  read('test/template/stateful-resources.json'),
);

test.each<[string, Options, readonly string[]]>([
  ['dev', {}, ['every stage', 'with access tokens', 'dev']],
  ['prod', { stage: 'prod' }, ['every stage', 'with access tokens', 'prod']],
  ['prod with every option', everyOptionOfProd, ['every stage', 'prod', 'with every option']],
])(
  'a deployment keeps all that stateful-resources.json lists, which includes every table: %s',
  (_name, options, lists) => {
    const template = stackTemplate(options);
    // The rest of these ids contains a hash of the stack's name or of published content.
    const rest = new RegExp(
      `${stackName(options.stage ?? 'dev').replaceAll('-', '')}.*|[0-9a-f]{32}$`,
    );
    const deployed: Record<string, string> = Object.fromEntries([
      ...resourcesOf(template).map((resource) => [
        resource.logicalId.replace(rest, '…'),
        `${resource.Type}${keyOf(resource)}`,
      ]),
      ...Object.keys(template.Outputs).map((id) => [id, 'output']),
    ]);
    for (const list of lists) {
      expect(record).toHaveProperty([list]);
      expect(deployed).toMatchObject(record[list] ?? {});
    }
    const listed = lists.flatMap((list) => Object.keys(record[list] ?? {}));
    const missing = Object.entries(deployed)
      .filter(([id, type]) => type.startsWith('AWS::DynamoDB::') && !listed.includes(id))
      .map(([id, type]) => `"${id}": "${type}",`);
    if (missing.length > 0) {
      const place = 'at the start of "every stage" in test/template/stateful-resources.json';
      throw new Error(`add ${place}:\n${missing.join('\n')}`);
    }
  },
);

test('the emulator reads the template of prod with every option, and leaves out only the web ACL', () => {
  const template = parseTemplate(stackTemplate(everyOptionOfProd));
  const invokeOf = () => async () => Buffer.of();
  const stack = parseStack(template, (asset) => asset, invokeOf);

  for (const { method, path } of operations)
    expect(stack.api.findRoute(method, path)).toBeDefined();
  expect([...template.leftOut.values()]).toEqual(['AWS::WAFv2::WebACL']);
});

/** The properties that CloudFormation cannot change without replacing a table. */
function keyOf({ Properties: { KeySchema, AttributeDefinitions } }: Json): string {
  const types = new Map(
    AttributeDefinitions?.map((each: Json) => [each.AttributeName, each.AttributeType]),
  );
  const keys = KeySchema?.map(
    ({ AttributeName: name, KeyType }: Json) => `${name} ${KeyType} ${types.get(name)}`,
  );
  return keys === undefined ? '' : ` with the key ${keys}`;
}
