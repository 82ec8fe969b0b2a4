import type { FunctionDefinition } from './definition.ts';

/** The environment variables that Lambda gives a function's process, and nothing of this machine's own. */
export function lambdaEnvironment(
  definition: FunctionDefinition,
  runtimeApi: string,
  dynamodbEndpoint: string,
): Readonly<Record<string, string>> {
  const { name, version, memorySize, logGroup, region } = definition;
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_EXECUTION_ENV: `AWS_Lambda_${definition.runtime}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: version,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: `${today}/[${version}]local`,
    AWS_LAMBDA_LOG_FORMAT: definition.logFormat,
    ...(definition.logLevel === undefined ? {} : { AWS_LAMBDA_LOG_LEVEL: definition.logLevel }),
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    LAMBDA_TASK_ROOT: definition.taskRoot,
    _HANDLER: definition.handler,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...definition.environment,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    // Windows opens no socket without it.
    ...(process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot }),
  };
}
