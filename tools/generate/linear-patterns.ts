import { patternsOf, type Subschema } from './body-schema.ts';
import { below, ContractError } from './contract.ts';

/** How many steps a regular expression may take for one string: a few milliseconds. */
const MAX_STEPS = 10_000_000;

/**
 * @throws ContractError if a regular expression takes more than linear time and no maxLength bounds it
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
  // The other backends of recheck are programs that package.json excludes.
  process.env.RECHECK_BACKEND = 'pure';
  // 3 MB of JavaScript, needed only for contracts with a pattern.
  const { checkSync } = await import('recheck');
  // recheck considers every pattern without unlimited repetition safe, even (a?){30}a{30}.
  const unlimited = source.replaceAll(/(?<!\\u)\{\d*,?\d{2,}\}/g, '*');
  const found = checkSync(unlimited, 'u', { checker: 'automaton', timeout: null });
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') {
    const cause = 'message' in found.error ? ` (${found.error.message})` : '';
    return `cannot be shown to take linear time${cause}; rewrite it, or check the rule in lambda/`;
  }
  const { complexity } = found;
  if (complexity.type === 'exponential') {
    return 'can take exponential time; rewrite it so that a string can match in only one way';
  }
  const problem = 'can take more than linear time; rewrite it';
  if (unlimited !== source) return problem;
  // A character has one or two UTF-16 code units.
  const longest = Math.floor(MAX_STEPS ** (1 / complexity.degree) / 2);
  if (maxLength <= longest) return undefined;
  return `${problem}, or limit the string with a maxLength of at most ${longest}`;
}
