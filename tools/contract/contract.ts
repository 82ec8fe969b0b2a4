import { messageOf, UserError } from '../command-line/failures.ts';

/** Thrown if openapi.json contains something unsupported. The message gives the JSON pointer, and says what to do. */
export class ContractError extends UserError {
  constructor(pointer: string, problem: string) {
    super(`openapi.json, at ${pointer || 'its root'}: ${problem}`);
  }
}

export class ContractNode {
  /** Undefined if openapi.json has nothing at the pointer. */
  readonly value: unknown;
  /** The JSON pointer (RFC 6901) of the value. */
  readonly pointer: string;
  readonly #root: ContractNode;

  constructor(value: unknown, pointer = '', root?: ContractNode) {
    this.value = value;
    this.pointer = pointer;
    this.#root = root ?? this;
  }

  /** Returns the fields of an object by their names, or the items of an array by their indexes. */
  children(): ReadonlyMap<string, ContractNode> {
    const { value } = this;
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return new Map(entries.map(([key, each]) => [key, this.#below(key, each)]));
  }

  child(...keys: readonly string[]): ContractNode {
    return keys.reduce<ContractNode>(
      (node, key) => node.children().get(key) ?? node.#below(key, undefined),
      this,
    );
  }

  /**
   * Follows the $ref in this value, if there is one.
   *
   * @throws ContractError if the $ref points to nothing, or outside openapi.json
   */
  resolved(): ContractNode {
    const $ref = this.child('$ref');
    if ($ref.value === undefined) return this;
    const [file, ...keys] = String($ref.value).split('/');
    const target = this.#root.child(
      ...keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')),
    );
    if (file === '#' && target.value !== undefined) return target;
    throw new ContractError(
      $ref.pointer,
      `${$ref.value} does not exist in openapi.json; correct it`,
    );
  }

  #below(key: string, value: unknown): ContractNode {
    const step = key.replaceAll('~', '~0').replaceAll('/', '~1');
    return new ContractNode(value, `${this.pointer}/${step}`, this.#root);
  }
}

/**
 * Parses openapi.json. A number beyond 2^53 becomes an object that JSON.stringify writes as it was, because
 * JSON.parse rounds it.
 *
 * @throws UserError if the text is not JSON
 */
export function parseContract(text: string): ContractNode {
  try {
    return new ContractNode(JSON.parse(text, reviveNumber));
  } catch (error) {
    throw new UserError(`openapi.json is not valid JSON: ${messageOf(error)}; fix the syntax`);
  }
}

function reviveNumber(
  _key: string,
  value: unknown,
  { source = '' }: { source?: string } = {},
): unknown {
  if (typeof value !== 'number') return value;
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : JSON.rawJSON(source);
}

/** @throws ContractError that names the node, unless openapi.json is supported there */
export function assertSupported(
  isSupported: boolean,
  { pointer }: ContractNode,
  problem: string,
): asserts isSupported {
  if (!isSupported) throw new ContractError(pointer, problem);
}
