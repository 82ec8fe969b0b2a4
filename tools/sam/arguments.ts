import { operations } from '../../lambda/generated/operations.ts';
import { constructId } from '../../lib/operations.ts';
import { SAM_TEMPLATE } from './template.ts';

/** Not 3000, because the emulator runs on that port at the same time. */
const PORT = '3001';

/**
 * Returns the arguments for `sam`.
 *
 * @param rest for `invoke`: the event file and the function, by default those of the first operation, and then options
 *   for SAM; for `start-api`, only options for SAM
 */
export function samArguments(command: string, rest: readonly string[]): readonly string[] {
  const common = [
    '--template',
    SAM_TEMPLATE,
    '--env-vars',
    'events/env.json',
    // On Linux, Docker does not define this name itself.
    '--add-host',
    'host.docker.internal:host-gateway',
  ];
  if (command === 'start-api') return ['local', 'start-api', '--port', PORT, ...common, ...rest];
  // `-` is not an option: it makes SAM read the event from stdin.
  const firstOption = rest.findIndex((argument) => /^-./.test(argument));
  const options = firstOption < 0 ? rest.length : firstOption;
  const [{ operationId, functionName }] = operations;
  const [event = `events/${functionName}.json`, id = constructId(operationId)] = rest.slice(
    0,
    options,
  );
  return ['local', 'invoke', id, '--event', event, ...common, ...rest.slice(options)];
}
