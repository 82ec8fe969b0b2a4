import { templateFile } from '../lib/names.ts';

const TEMPLATE = `cdk.out/${templateFile('dev')}`;

/** Not the emulator's own port, which runs beside it. */
const PORT = '3001';

/** What follows `sam`: for `invoke`, with the event file given or the first of `events/`; or for `start-api`. */
export function samArguments(command: string, rest: readonly string[]): readonly string[] {
  const common = [
    ...['--template', TEMPLATE],
    ...['--env-vars', 'events/env.json'],
    // Docker on Linux knows that name only when told.
    ...['--add-host', 'host.docker.internal:host-gateway'],
  ];
  if (command === 'start-api') return ['local', 'start-api', '--port', PORT, ...common, ...rest];
  const [event = 'events/create-plant.json', ...others] = rest;
  return ['local', 'invoke', 'CreatePlant', '--event', event, ...common, ...others];
}
