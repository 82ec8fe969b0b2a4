import { describe, expect, test } from '@jest/globals';
import { createPlant, type NewPlant, type PutOutcome } from '../../../lambda/create-plant/create-plant.ts';
import { operationErrors } from '../../../lambda/shared/errors.ts';

/** A store that answers with one outcome and remembers what it was given. */
function storeThat(outcome: PutOutcome) {
  const given: NewPlant[] = [];
  const put = async (plant: NewPlant) => {
    given.push(plant);
    return outcome;
  };
  return { given, put };
}

describe('creating a plant', () => {
  test.each(['created', 'duplicate'] as const)('shows it without its id when it was %s', async (outcome) => {
    const { given, put } = storeThat(outcome);
    const newPlant = { id: 1n, name: 'Ficus', tag: 'indoor' };

    await expect(createPlant(newPlant, put)).resolves.toEqual({ name: 'Ficus', tag: 'indoor' });
    expect(given).toEqual([newPlant]);
  });

  test('leaves out a tag that was not given', async () => {
    const { given, put } = storeThat('created');

    await expect(createPlant({ id: 1n, name: 'Oak' }, put)).resolves.toStrictEqual({ name: 'Oak' });
    expect(given).toStrictEqual([{ id: 1n, name: 'Oak' }]);
  });

  test('keeps an empty tag', async () => {
    const { put } = storeThat('created');
    await expect(createPlant({ id: 1n, name: '', tag: '' }, put)).resolves.toEqual({ name: '', tag: '' });
  });

  test('drops what a plant does not have', async () => {
    const { given, put } = storeThat('created');
    const withMore = { id: 1n, name: 'Oak', unknownField: 30 };

    await expect(createPlant(withMore, put)).resolves.toStrictEqual({ name: 'Oak' });
    expect(given).toStrictEqual([{ id: 1n, name: 'Oak' }]);
  });

  test.each(['conflict', 'tooLarge'] as const)('is refused when the store says %s', async (outcome) => {
    const { put } = storeThat(outcome);
    await expect(createPlant({ id: 1n, name: 'Oak' }, put)).rejects.toMatchObject({
      number: operationErrors[outcome],
    });
  });
});
