import { expect, test } from '@jest/globals';
import { stackTemplate } from './stack-template.ts';

test('each function has the ten-second timeout that the DynamoDB timeouts are tuned for', () => {
  const functions = Object.values(stackTemplate().findResources('AWS::Lambda::Function'));
  expect(functions.length).toBeGreaterThan(1);
  for (const { Properties } of functions) expect(Properties.Timeout).toBe(10);
});
