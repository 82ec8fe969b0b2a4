import { SAM_TEMPLATE } from './template.ts';

/** Not 3000, because the emulator uses that port at the same time. */
const PORT = '3001';

/**
 * Returns the arguments of `sam`. `rest` of `invoke` starts with the event file and the function, both optional; the
 * first option and everything after it are passed on to SAM.
 */
export function samArguments(command: string, rest: readonly string[]): readonly string[] {
  const common = [
    '--template',
    SAM_TEMPLATE,
    '--env-vars',
    'events/env.json',
    // Defines the name, because Docker on Linux does not.
    '--add-host',
    'host.docker.internal:host-gateway',
  ];
  if (command === 'start-api') return ['local', 'start-api', '--port', PORT, ...common, ...rest];
  const firstOption = rest.findIndex(isOption);
  const options = firstOption < 0 ? rest.length : firstOption;
  const [event = 'events/create-plant.json', functionId = 'CreatePlant'] = rest.slice(0, options);
  return ['local', 'invoke', functionId, '--event', event, ...common, ...rest.slice(options)];
}

/** `-` is the event that SAM reads from stdin. */
function isOption(argument: string): boolean {
  return argument.startsWith('-') && argument !== '-';
}
