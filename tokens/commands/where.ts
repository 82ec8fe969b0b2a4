import type { ParseArgsOptionsConfig } from 'node:util';

/** The options of every command. */
export const whereOptions = {
  local: { type: 'boolean' },
  stage: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

export const WHERE = `  --local             the emulator that runs on this machine (npm start)
  --stage STAGE       the deployed stage, with your AWS credentials and region; dev unless said otherwise
  --json              prints JSON, for scripts: npm run --silent token -- … --json
  --help              prints this text`;
