/**
 * Names by which a deployed or synthesized stack is found. This module loads no CDK, because the token command
 * imports it and would take a second longer to start.
 */

/** The stages that can be deployed. */
export const STAGES = ['dev', 'prod'] as const;
export type StageName = (typeof STAGES)[number];

export function stackName(stage: string): string {
  return `PlantStore-${stage}`;
}

/** The file in the cloud assembly that holds the template of a stage. */
export function templateFile(stage: StageName): string {
  return `${stackName(stage)}.template.json`;
}

/** The output of the stack that names the tokens table. */
export const TOKENS_TABLE_OUTPUT = 'TokensTableName';

/** The folders of the functions under `lambda/`. */
export type FunctionName = 'create-plant' | 'authorize' | 'authorize-oidc';

/** The alias that API Gateway invokes, so that a deployment can shift traffic between versions. */
export const LIVE_ALIAS = 'live';

/** The context with which `npm start` synthesizes: bundles that a debugger can show. Nothing deployed has it. */
export const READABLE_BUNDLES = 'plant-store:readable-bundles';
