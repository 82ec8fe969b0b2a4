import { describe, expect, test } from '@jest/globals';
import { createPlant, type NewPlant, type PutOutcome } from '../../../lambda/create-plant/create-plant.ts';
import { operationErrors } from '../../../lambda/shared/errors.ts';

/** A `put` with a fixed outcome, which records its plants. */
function putWith(outcome: PutOutcome) {
  const given: NewPlant[] = [];
  const put = async (plant: NewPlant) => {
    given.push(plant);
    return outcome;
  };
  return { given, put };
}

describe('createPlant', () => {
  test.each(['created', 'duplicate'] as const)(
    'returns the plant without its id if it was %s',
    async (outcome) => {
      const { given, put } = putWith(outcome);
      const newPlant = { id: 1n, name: 'Ficus', tag: 'indoor' };

      await expect(createPlant(newPlant, put)).resolves.toEqual({ name: 'Ficus', tag: 'indoor' });
      expect(given).toEqual([newPlant]);
    },
  );

  test('omits a tag that was not sent', async () => {
    const { given, put } = putWith('created');

    await expect(createPlant({ id: 1n, name: 'Oak' }, put)).resolves.toStrictEqual({ name: 'Oak' });
    expect(given).toStrictEqual([{ id: 1n, name: 'Oak' }]);
  });

  test.each(['conflict', 'tooLarge'] as const)('throws the error of the outcome %s', async (outcome) => {
    const { put } = putWith(outcome);
    await expect(createPlant({ id: 1n, name: 'Oak' }, put)).rejects.toMatchObject({
      spec: operationErrors[outcome],
    });
  });
});
