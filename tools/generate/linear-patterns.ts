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
  // recheck's other backends are native programs, which package.json excludes.
  process.env.RECHECK_BACKEND = 'pure';
  // Imported here, because its 3 MB of JavaScript are needed only for contracts with a pattern.
  const { checkSync } = await import('recheck');
  const found = checkSync(withoutLimits(source), 'u', { checker: 'automaton', timeout: null });
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') {
    const cause = 'message' in found.error ? ` (${found.error.message})` : '';
    return `cannot be shown to take linear time${cause}; rewrite it, or remove it and enforce the rule with code in lambda/`;
  }
  const { complexity } = found;
  // A character has one or two UTF-16 code units.
  const longest =
    complexity.type === 'exponential' ? 0 : Math.floor(MAX_STEPS ** (1 / complexity.degree) / 2);
  if (longest === 0) {
    return 'can take exponential time; rewrite it so that a string can match in only one way';
  }
  if (maxLength <= longest) return undefined;
  return `can take more than linear time; rewrite it, or limit the string with a maxLength of at most ${longest}`;
}

const TOKENS =
  /\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]])*\]|\((?:\?(?:<?[=!]|:|<[^>]+>))?|(?:[*+?]|\{[\d,]+\})\??|./gsu;

interface Part {
  readonly text: string;
  /** The maximum number of ways in which the part matches a string; 10 if its repetition is unlimited. */
  readonly ways: number;
  /** The same, but 1 if its repetition is unlimited, because recheck judges it. */
  readonly limitedWays: number;
}

/** With more ways, matching takes too long. */
const MAX_WAYS = 10_000;

/** Replaces large limits with `*`: recheck considers every pattern without unlimited repetition safe, even (a?){30}. */
function withoutLimits(source: string): string {
  const tokens = source.match(TOKENS) ?? [];
  const { text, limitedWays } = readPart([...tokens], MAX_WAYS);
  // Each repetition has few ways, but all together have many.
  return limitedWays <= MAX_WAYS ? text : readPart([...tokens], 1).text;
}

/** Reads the tokens up to a closing parenthesis, and removes them from the array. */
function readPart(tokens: string[], maxWays: number): Part {
  let [text, others, ways, otherLimited, limited] = ['', 0, 1, 0, 1];
  let last: Part = { text: '', ways: 1, limitedWays: 1 };
  for (let token = tokens.shift(); token !== undefined && token !== ')'; token = tokens.shift()) {
    if (/^[*+?{]/.test(token)) last = repeated(last, token, maxWays);
    else {
      text += last.text;
      ways *= last.ways;
      limited *= last.limitedWays;
      if (token === '|')
        [others, ways, otherLimited, limited] = [others + ways, 1, otherLimited + limited, 1];
      last = { text: token, ways: 1, limitedWays: 1 };
      if (token.startsWith('(')) {
        const group = readPart(tokens, maxWays);
        last = { ...group, text: `${token}${group.text})` };
      }
    }
  }
  return {
    text: text + last.text,
    ways: others + ways * last.ways,
    limitedWays: otherLimited + limited * last.limitedWays,
  };
}

function repeated({ text, ways, limitedWays }: Part, quantifier: string, maxWays: number): Part {
  if (!/^\?|\d\}/.test(quantifier)) return { text: text + quantifier, ways: 10, limitedWays: 1 };
  const limits = quantifier.startsWith('?') ? [0, 1] : (quantifier.match(/\d+/g) ?? []).map(Number);
  const [least = 0, most = least] = limits;
  const all = (each: number) => (most - least + 1) * each ** most;
  if (most < 10 && all(ways) <= maxWays) {
    return { text: text + quantifier, ways: all(ways), limitedWays: all(limitedWays) };
  }
  // With {30}, a repetition can match the empty string, but with *, it cannot. So repeat pairs, `(?:…{2})*`: one
  // repetition of each pair can be empty.
  return { text: text.endsWith(')') ? `(?:${text}{2})*` : `${text}*`, ways: 10, limitedWays: 1 };
}
