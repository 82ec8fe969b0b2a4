import { templateFile } from '../../lib/names.ts';

const TEMPLATE = `cdk.out/${templateFile('dev')}`;

/** Not 3000, the port of the emulator, which runs beside it. */
const PORT = '3001';

/** Returns the arguments of `sam`. The first of `rest` is the event file of `invoke`. */
export function samArguments(command: string, rest: readonly string[]): readonly string[] {
  const common = [
    '--template',
    TEMPLATE,
    '--env-vars',
    'events/env.json',
    // Docker on Linux does not define this name.
    '--add-host',
    'host.docker.internal:host-gateway',
  ];
  if (command === 'start-api') return ['local', 'start-api', '--port', PORT, ...common, ...rest];
  const [event = 'events/create-plant.json', ...others] = rest;
  return ['local', 'invoke', 'CreatePlant', '--event', event, ...common, ...others];
}
