/** The environment variables that the stack sets for this function, beside `FunctionEnv`. */
export type CreatePlantEnv = Record<'PLANTS_TABLE', string>;
