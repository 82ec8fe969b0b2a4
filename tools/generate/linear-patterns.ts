import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { patternsOf, type Subschema } from './body-schema.ts';
import { below, ContractError } from './contract.ts';

/** The maximum number of steps for testing one string with a regular expression. They take a few milliseconds. */
const MAX_STEPS = 10_000_000;

/**
 * @throws ContractError if a regular expression can take more than linear time, and no maxLength limits that time
 */
export async function checkPatterns(schemas: readonly Subschema[]): Promise<void> {
  for (const { rules, pointer } of schemas) {
    for (const { keyword, source, maxLength } of patternsOf(rules)) {
      const problem = await problemOf(source, maxLength);
      if (problem !== undefined) throw new ContractError(below(pointer, keyword), `${source} ${problem}`);
    }
  }
}

async function problemOf(source: string, maxLength = Number.POSITIVE_INFINITY): Promise<string | undefined> {
  // recheck's other backends are native programs, which package.json excludes.
  process.env.RECHECK_BACKEND = 'pure';
  // Imported here, because this package of 3 MB is needed only for contracts with a pattern.
  const { checkSync } = await import('recheck');
  const found = checkSync(withoutLimits(source), 'u', { checker: 'automaton', timeout: null });
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') {
    const cause = 'message' in found.error ? ` (${found.error.message})` : '';
    return `cannot be shown to take linear time${cause}; rewrite it, or remove it and enforce the rule with code in lambda/`;
  }
  const { complexity } = found;
  // A maxLength counts characters, each of which has one or two UTF-16 code units.
  const longest =
    complexity.type === 'exponential' ? 0 : Math.floor(MAX_STEPS ** (1 / complexity.degree) / 2);
  if (longest === 0) {
    return 'can take exponential time; rewrite it so that a string can match in only one way';
  }
  if (maxLength <= longest) return undefined;
  return `can take more than linear time; rewrite it, or limit the string with a maxLength of at most ${longest}`;
}

/** A part of a pattern in which `*` has replaced large limits. */
interface Part {
  readonly text: string;
  /** The maximum number of ways in which the part can match a string. Unlimited repetition counts as 10 ways. */
  readonly ways: number;
  /** The same number, but unlimited repetition counts as 1 way, because recheck checks this repetition itself. */
  readonly limitedWays: number;
}

/** If a pattern can match a string in more ways than this, matching can take too long. */
const MAX_WAYS = 10_000;

/**
 * Turns a limited repetition into `*` if its limit is 10 or more, or if it can match in too many ways. Otherwise,
 * recheck would consider every pattern with only limited repetition safe.
 */
function withoutLimits(source: string): string {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode: true });
  const { text, limitedWays } = partOf(pattern, MAX_WAYS);
  // Each repetition can match in few ways, but all repetitions together may be able to match in too many ways.
  return limitedWays <= MAX_WAYS ? text : partOf(pattern, 1).text;
}

/** For a sequence, multiplies the parts' numbers of ways; for alternatives, adds them. */
function partOf(node: AST.Node, maxWays: number): Part {
  if (node.type === 'Quantifier') return repeatedPart(node, maxWays);
  if (node.type === 'Alternative') {
    const parts = node.elements.map((each) => partOf(each, maxWays));
    return {
      text: parts.map(({ text }) => text).join(''),
      ways: parts.reduce((product, { ways }) => product * ways, 1),
      limitedWays: parts.reduce((product, { limitedWays }) => product * limitedWays, 1),
    };
  }
  if ('alternatives' in node) {
    const parts = node.alternatives.map((each) => partOf(each, maxWays));
    const [first = node] = node.alternatives;
    const opening = node.raw.slice(0, first.start - node.start);
    const closing = node.type === 'Pattern' ? '' : ')';
    return {
      text: `${opening}${parts.map(({ text }) => text).join('|')}${closing}`,
      ways: parts.reduce((sum, { ways }) => sum + ways, 0),
      limitedWays: parts.reduce((sum, { limitedWays }) => sum + limitedWays, 0),
    };
  }
  return { text: node.raw, ways: 1, limitedWays: 1 };
}

function repeatedPart({ element, min, max, raw }: AST.Quantifier, maxWays: number): Part {
  const { text, ways, limitedWays } = partOf(element, maxWays);
  const quantifier = raw.slice(element.raw.length);
  if (max === Number.POSITIVE_INFINITY) return { text: text + quantifier, ways: 10, limitedWays: 1 };
  const all = (each: number) => (max - min + 1) * each ** max;
  if (max < 10 && all(ways) <= maxWays) {
    return { text: text + quantifier, ways: all(ways), limitedWays: all(limitedWays) };
  }
  // An iteration of `(…){30}` can match the empty string, but an iteration of `(…)*` cannot. So repeat pairs,
  // `(?:(…){2})*`, because one iteration of each pair can match the empty string.
  return { text: 'alternatives' in element ? `(?:${text}{2})*` : `${text}*`, ways: 10, limitedWays: 1 };
}
