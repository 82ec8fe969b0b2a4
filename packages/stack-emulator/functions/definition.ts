import { unsupported } from '../errors.ts';
import { REGION, type Resolver, refOf } from '../template/intrinsics.ts';
import { displayName } from '../template/resources.ts';

export interface FunctionDefinition {
  readonly displayName: string;
  /** Ends with an alias or version if the API invokes one. */
  readonly arn: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  /** The limit on the function's heap. */
  readonly memoryMb: number;
}

/**
 * Returns the function that an integration or authorizer refers to by its URI,
 * `arn:aws:apigateway:…:lambda:path/2015-03-31/functions/{function ARN}/invocations`.
 * @param from names the integration or authorizer in errors
 * @throws UserError if the emulator does not find the function in the template, or cannot run it
 */
export function functionOfUri(
  uri: string,
  from: string,
  resolver: Resolver,
  assetFolder: (asset: string) => string,
): FunctionDefinition {
  const [, arn = ''] = /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/.exec(uri) ?? [];
  const [, name, qualifier] = /:function:([^:]+)(?::(.+))?$/.exec(arn) ?? [];
  const resource = resolver.template.resources.find(
    (candidate) =>
      candidate.type === 'AWS::Lambda::Function' && refOf(candidate, resolver) === name,
  );
  if (name === undefined || resource === undefined) throw unsupported(`${from}: the URI ${uri}`);
  const properties = resolver.propertiesOf(resource);
  const runtime = properties.string('Runtime');
  if (!runtime.startsWith('nodejs'))
    throw unsupported(`${properties.path}: the runtime ${runtime}`);
  const { asset } = resource;
  if (typeof asset !== 'string') throw unsupported(`${properties.path}: Code that is not an asset`);
  const version = qualifier === undefined ? '$LATEST' : '1';
  // Lambda's defaults are 128 MB and 3 s.
  const memoryMb = properties.optionalNumber('MemorySize') ?? 128;
  return {
    displayName: displayName(resource),
    arn,
    timeoutSeconds: properties.optionalNumber('Timeout') ?? 3,
    memoryMb,
    // Does not include this machine's variables.
    environment: {
      AWS_REGION: REGION,
      AWS_DEFAULT_REGION: REGION,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      AWS_EXECUTION_ENV: `AWS_Lambda_${runtime}`,
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: version,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      LAMBDA_TASK_ROOT: assetFolder(asset),
      _HANDLER: properties.string('Handler'),
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'en_US.UTF-8',
      TZ: ':UTC',
      ...properties.object('Environment').strings('Variables'),
    },
  };
}
