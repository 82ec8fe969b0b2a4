import { describe, test } from '@jest/globals';
import { assertFor } from '../../property/assert-for.ts';
import { nothingElseIsStored, properties } from '../../property/properties.ts';
import type { Plant } from '../../support/target.ts';
import { handlerTarget } from './handler-target.ts';

describe('the handler', () => {
  const plants = new Map<string, Plant>();
  const target = handlerTarget();
  test.each(properties(target, plants))('$name', assertFor(400));
  test('stores only the plants for which it returned 200', () => nothingElseIsStored(target, plants));
});
