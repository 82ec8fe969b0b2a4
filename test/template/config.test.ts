import { expect, test } from '@jest/globals';
import { stackTemplate } from './stack-template.ts';

test('a stage that is none of ours is refused with a message that names it', () => {
  expect(() => stackTemplate({ stage: 'staging' })).toThrow('stage must be dev or prod, not "staging"');
});
