import { expect } from '@jest/globals';
import { exampleEvent } from './events.ts';
import type { FunctionState, RunningFunction } from './running-function.ts';

/** A body can have as many bytes outside its strings. */
export const STRUCTURE_BYTES = 400 * 1024;

const MAX_MORE_MEMORY_BYTES = 200_000_000;

/**
 * Asserts that an operation rejects a large body, and limits the CPU time and memory that it uses.
 *
 * @param maxColdStarts the most CPU time, as a multiple of that of the cold start, because both depend on the machine
 */
export async function expectBounded(
  { invoke, state }: RunningFunction,
  coldStart: FunctionState,
  maxColdStarts: number,
  body: string,
): Promise<void> {
  const before = await state();
  const event = exampleEvent(Buffer.from(body).toString('base64'));
  const { result } = await invoke({ ...event, isBase64Encoded: true });
  const after = await state();
  expect(result).toMatchObject({ statusCode: 400 });
  expect((after.cpuSeconds - before.cpuSeconds) / coldStart.cpuSeconds).toBeLessThan(maxColdStarts);
  expect(after.peakMemoryBytes - coldStart.peakMemoryBytes).toBeLessThan(MAX_MORE_MEMORY_BYTES);
}
