/** The stages that can be deployed. */
export const STAGES = ['dev', 'prod'] as const;
export type StageName = (typeof STAGES)[number];
