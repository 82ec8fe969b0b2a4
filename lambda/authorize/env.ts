/** The environment variables that the stack sets for this function, beside `FunctionEnv`. */
export type AuthorizeEnv = Record<'TOKENS_TABLE', string>;
