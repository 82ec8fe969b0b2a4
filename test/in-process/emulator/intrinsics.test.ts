import { describe, expect, test } from '@jest/globals';
import { EmulatorError } from '../../../emulator/emulator-error.ts';
import type { Json } from '../../../emulator/json.ts';
import { createResolver } from '../../../emulator/template/intrinsics.ts';
import { parseTemplate } from '../../../emulator/template/template.ts';
import { arnOf, ref, resource, table } from '../../emulator/fixtures/resources.ts';

describe('a value of the template', () => {
  const template = parseTemplate({
    Parameters: { Size: { Type: 'String', Default: 'small' }, Bare: { Type: 'String' } },
    Mappings: { Sizes: { small: { memory: 128 } } },
    Conditions: {
      Small: { 'Fn::Equals': [ref('Size'), 'small'] },
      Large: { 'Fn::Not': [{ Condition: 'Small' }] },
      Both: { 'Fn::And': [{ Condition: 'Small' }, { Condition: 'Large' }] },
      Either: { 'Fn::Or': [{ Condition: 'Small' }, { Condition: 'Large' }] },
      Unequal: { 'Fn::Equals': [ref('AWS::Region'), 'eu-west-2'] },
      Twice: { 'Fn::And': [{ Condition: 'Small' }, { Condition: 'Small' }] },
      Neither: { 'Fn::Or': [{ Condition: 'Large' }, { Condition: 'Large' }] },
      Strange: { 'Fn::Contains': [] },
      Empty: {},
      Text: 'Small',
      Unsaid: { 'Fn::Not': [] },
      Unlisted: { 'Fn::And': 'Small' },
    },
    Resources: {
      Table: table('id', 'S'),
      Function: resource('AWS::Lambda::Function'),
      Named: resource('AWS::Lambda::Function', { FunctionName: 'fn' }),
      Broken: resource('AWS::Lambda::Function', { FunctionName: ref('Nowhere') }),
      Version: resource('AWS::Lambda::Version', { FunctionName: ref('Named') }),
      Alias: resource('AWS::Lambda::Alias', { FunctionName: arnOf('Named'), Name: 'live' }),
      Role: resource('AWS::IAM::Role'),
      Topic: resource('AWS::SNS::Topic'),
      Log: resource('AWS::Logs::LogGroup', { LogGroupName: '/own' }),
    },
  });
  const pseudo = { region: 'eu-west-1', account: '111122223333', stackName: 'Store' };
  const resolve = (value: Json | undefined) => createResolver(template, pseudo).resolve(value, 'here');
  const lambda = 'arn:aws:lambda:eu-west-1:111122223333:function';

  const cases: readonly (readonly [Json | undefined, Json | undefined])[] = [
    ['text', 'text'],
    [undefined, undefined],
    [{}, {}],
    [{ a: [1, true, null] }, { a: [1, true, null] }],
    [
      { Ref: 'Size', Version: 1 },
      { Ref: 'Size', Version: 1 },
    ],
    [ref('Table'), 'Table'],
    [arnOf('Table'), 'arn:aws:dynamodb:eu-west-1:111122223333:table/Table'],
    [{ 'Fn::GetAtt': 'Table.Arn' }, 'arn:aws:dynamodb:eu-west-1:111122223333:table/Table'],
    [ref('Function'), 'Function'],
    [ref('Named'), 'fn'],
    [arnOf('Named'), `${lambda}:fn`],
    [ref('Version'), `${lambda}:fn:1`],
    [{ 'Fn::GetAtt': ['Version', 'Version'] }, '1'],
    [ref('Alias'), `${lambda}:fn:live`],
    [arnOf('Role'), 'arn:aws:iam::111122223333:role/Role'],
    [ref('Topic'), 'arn:aws:sns:eu-west-1:111122223333:Topic'],
    [ref('Log'), '/own'],
    [ref('Size'), 'small'],
    [ref('AWS::StackName'), 'Store'],
    [{ a: ref('AWS::NoValue'), b: [ref('AWS::NoValue'), 1] }, { b: [1] }],
    [{ 'Fn::Join': ['-', ['a', ref('Size'), 1]] }, 'a-small-1'],
    [
      { 'Fn::Sub': `\${Size}/\${Table.Arn}/\${!Size}` },
      `small/arn:aws:dynamodb:eu-west-1:111122223333:table/Table/\${Size}`,
    ],
    [{ 'Fn::Sub': [`\${X}`, { X: ref('AWS::Region') }] }, 'eu-west-1'],
    [{ 'Fn::Select': ['1', { 'Fn::Split': [':', arnOf('Named')] }] }, 'aws'],
    [{ 'Fn::FindInMap': ['Sizes', ref('Size'), 'memory'] }, 128],
    [{ 'Fn::If': ['Small', 'yes', ref('Nowhere')] }, 'yes'],
    [{ 'Fn::If': ['Large', 'yes', 'no'] }, 'no'],
    [{ 'Fn::If': ['Both', 'yes', 'no'] }, 'no'],
    [{ 'Fn::If': ['Unequal', 'yes', 'no'] }, 'no'],
    [{ 'Fn::If': ['Twice', 'yes', 'no'] }, 'yes'],
    [{ 'Fn::If': ['Either', 'yes', ref('AWS::NoValue')] }, 'yes'],
    [{ 'Fn::If': ['Neither', 'yes', 'no'] }, 'no'],
  ];
  test.each(cases)('%j is %j', (value, expected) => {
    expect(resolve(value)).toStrictEqual(expected);
  });

  const teach = (file: string) =>
    `: add it to the emulator in emulator/template/${file}, or remove it from lib/`;
  const refer = ': add it, or refer to something else';

  test.each([
    [{ 'Fn::ImportValue': 'x' }, `here: the emulator doesn't know Fn::ImportValue${teach('intrinsics.ts')}`],
    [
      { a: { b: [{ 'Fn::ImportValue': 'x' }] } },
      `here.a.b: the emulator doesn't know Fn::ImportValue${teach('intrinsics.ts')}`,
    ],
    [ref('Nowhere'), `here: the template has nothing called Nowhere${refer}`],
    [ref('Broken'), `Broken.FunctionName: the template has nothing called Nowhere${refer}`],
    [ref('Bare'), 'here: the parameter Bare has no value on this machine: give it a Default'],
    [ref('AWS::Moon'), `here: the emulator doesn't know AWS::Moon${teach('pseudo-parameters.ts')}`],
    [{ 'Fn::Sub': `\${ Size }` }, `here: the template has nothing called  Size ${refer}`],
    [
      { 'Fn::GetAtt': ['Table', 'Stream.Arn'] },
      `here: the emulator has no Fn::GetAtt Table.Stream.Arn (AWS::DynamoDB::Table)${teach('references.ts')}`,
    ],
    [
      { 'Fn::GetAtt': 'Table' },
      `here: the emulator has no Fn::GetAtt Table (AWS::DynamoDB::Table)${teach('references.ts')}`,
    ],
    [arnOf('Nowhere'), `here: the template has nothing called Nowhere${refer}`],
    [{ 'Fn::Select': [7, ['a']] }, 'here: Fn::Select finds no entry 7: choose one that its list has'],
    [
      { 'Fn::FindInMap': ['Sizes', 'large', 'memory'] },
      'here: Fn::FindInMap finds no Sizes.large.memory: add it to Mappings, or look for another',
    ],
    [
      { 'Fn::If': ['Strange', 1, 2] },
      `Conditions.Strange: the emulator knows no condition like {"Fn::Contains":[]}${teach('conditions.ts')}`,
    ],
    [
      { 'Fn::If': ['Empty', 1, 2] },
      `Conditions.Empty: the emulator knows no condition like {}${teach('conditions.ts')}`,
    ],
    [
      { 'Fn::If': ['Unsaid', 1, 2] },
      `Conditions.Unsaid: the emulator knows no condition like {}${teach('conditions.ts')}`,
    ],
    [
      { 'Fn::If': ['Unknown', 1, 2] },
      'The template has no condition Unknown: add it to Conditions, or name another',
    ],
  ])('%j is an error that names it and says what to do', (value, message) => {
    expect(() => resolve(value)).toThrow(new EmulatorError(message));
    expect(() => resolve(value)).toThrow(EmulatorError);
  });

  test.each([
    [{ 'Fn::Join': [] }, 'here is missing'],
    [{ 'Fn::Join': [1, []] }, 'here must be a string, not 1'],
    [{ 'Fn::Sub': [] }, 'here is missing'],
    [{ 'Fn::Sub': [1] }, 'here must be a string, not 1'],
    [{ 'Fn::GetAtt': 7 }, 'here must be a list, not 7'],
    [{ 'Fn::If': ['Text', 1, 2] }, 'Conditions.Text must be an object, not "Small"'],
    [{ 'Fn::If': ['Unlisted', 1, 2] }, 'Conditions.Unlisted must be a list, not "Small"'],
  ])('%j has a wrong type', (value, message) => {
    expect(() => resolve(value)).toThrow(new TypeError(message));
  });
});
