/** The environment variables that the stack sets for this function, beside `FunctionEnv`. */
export type PreTrafficEnv = Record<'PROBED_FUNCTION' | 'NEW_VERSION', string>;
