import { describe, test } from '@jest/globals';
import { assertFor } from './assert-for.ts';
import { handlerTarget } from './handler-target.ts';
import { nothingElseIsStored, properties } from './properties.ts';
import type { Plant } from './target.ts';

describe('the handler', () => {
  const plants = new Map<string, Plant>();
  const target = handlerTarget();
  test.each(properties(target, plants))('$name', assertFor(1_500), 60_000);
  test('nothing else is stored', () => nothingElseIsStored(target, plants));
});
