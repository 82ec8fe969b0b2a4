import { operations } from '../../lambda/generated/operations.ts';
import { constructId } from '../../lib/operations.ts';
import { SAM_TEMPLATE } from './template.ts';

/**
 * Returns the arguments for `sam`.
 *
 * @param args the event file and the function, by default those of the first operation, and then options for SAM
 */
export function samArguments(args: readonly string[]): readonly string[] {
  // `-` is not an option: it makes SAM read the event from stdin.
  const firstOption = args.findIndex((argument) => /^-./.test(argument));
  const options = firstOption < 0 ? args.length : firstOption;
  const [{ operationId, functionName }] = operations;
  const [event = `events/${functionName}.json`, id = constructId(operationId)] = args.slice(
    0,
    options,
  );
  return [
    'local',
    'invoke',
    id,
    '--event',
    event,
    '--template',
    SAM_TEMPLATE,
    '--env-vars',
    'events/env.json',
    // On Linux, Docker does not define this name itself.
    '--add-host',
    'host.docker.internal:host-gateway',
    ...args.slice(options),
  ];
}
