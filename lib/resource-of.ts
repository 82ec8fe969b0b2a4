import type { IConstruct } from 'constructs';

/**
 * Returns the CloudFormation resource of a construct, so that the caller can set a property that the construct lacks.
 *
 * @throws TypeError if the construct's resource has a different type
 */
export function resourceOf<Resource>(
  { node: { defaultChild, path } }: IConstruct,
  type: new (...args: never[]) => Resource,
): Resource {
  if (defaultChild instanceof type) return defaultChild;
  throw new TypeError(`the default child of ${path} is not a ${type.name}`);
}
