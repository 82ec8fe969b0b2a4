import { EmulatorError, unsupported } from '../emulator-error.ts';
import { Properties } from '../properties.ts';
import { type Resolver, referenceOf } from '../template/intrinsics.ts';
import type { Resource } from '../template/resource-types.ts';

/** A function of the template, by one of its ARNs. */
export interface FunctionDefinition {
  readonly name: string;
  /** With the alias or version, if it has one. */
  readonly arn: string;
  readonly version: string;
  readonly runtime: string;
  readonly handler: string;
  /** The folder of its code. */
  readonly taskRoot: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly memorySize: number;
  readonly logGroup: string;
  readonly logFormat: string;
  readonly logLevel: string | undefined;
  readonly region: string;
}

/**
 * The function behind `arn:aws:apigateway:…:lambda:path/2015-03-31/functions/{function ARN}/invocations`.
 * @throws EmulatorError naming `where` if the template has no such function, or it cannot run here
 */
export function functionOfUri(
  uri: string,
  where: string,
  resolver: Resolver,
  assetFolder: (asset: string) => string,
): FunctionDefinition {
  const [, arn = ''] = /:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/.exec(uri) ?? [];
  const [, name, qualifier] = /:function:([^:]+)(?::(.+))?$/.exec(arn) ?? [];
  const resource = [...resolver.template.resources.values()].find(
    (candidate) => candidate.type === 'AWS::Lambda::Function' && referenceOf(candidate, resolver) === name,
  );
  if (name === undefined || resource === undefined) {
    throw new EmulatorError(`${where}: the template has no function ${uri}: name one of its functions`);
  }
  return {
    ...define(resource, resolver, assetFolder),
    name,
    arn,
    version: qualifier === undefined ? '$LATEST' : '1',
  };
}

function define(resource: Resource, resolver: Resolver, assetFolder: (asset: string) => string) {
  const { logicalId } = resource;
  const properties = resolver.properties(resource);
  const runtime = properties.string('Runtime');
  if (!runtime.startsWith('nodejs'))
    throw unsupported(`${logicalId}: the runtime ${runtime}`, 'emulator/functions/definition.ts');
  const asset = Properties.of(resource.metadata, `${logicalId}.Metadata`).optionalString('aws:asset:path');
  if (asset === undefined)
    throw new EmulatorError(`${logicalId}: its code is not an asset of the CDK app: use Code.fromAsset`);
  const logging = properties.object('LoggingConfig');
  return {
    runtime,
    handler: properties.string('Handler'),
    taskRoot: assetFolder(asset),
    environment: properties.object('Environment').strings('Variables'),
    // Lambda's defaults.
    timeoutSeconds: properties.optionalNumber('Timeout') ?? 3,
    memorySize: properties.optionalNumber('MemorySize') ?? 128,
    logGroup: logging.optionalString('LogGroup') ?? `/aws/lambda/${String(referenceOf(resource, resolver))}`,
    logFormat: logging.optionalString('LogFormat') ?? 'Text',
    logLevel: logging.optionalString('ApplicationLogLevel'),
    region: resolver.pseudo.region,
  };
}
