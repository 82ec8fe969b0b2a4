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
    return `cannot be shown to take linear time${cause}; rewrite it, or check the rule in lambda/`;
  }
  const { complexity } = found;
  if (complexity.type === 'exponential') {
    return 'can take exponential time; rewrite it so that a string can match in only one way';
  }
  // A character has one or two UTF-16 code units.
  const longest = Math.floor(MAX_STEPS ** (1 / complexity.degree) / 2);
  if (maxLength <= longest) return undefined;
  return `can take more than linear time; rewrite it, or limit the string with a maxLength of at most ${longest}`;
}

const TOKENS =
  /\\(?:[pPu]\{[^}]*\}|.)|\[(?:\\.|[^\]])*\]|\((?:\?(?:<?[=!]|:|<[^>]+>))?|(?:[*+?]|\{[\d,]+\})\??|./gsu;

interface Part {
  readonly text: string;
  /** The maximum number of ways in which the part matches a string; 10 if its repetition is unlimited. */
  readonly ways: number;
}

/** Replaces large limits with `*`: recheck considers every pattern without unlimited repetition safe, even (a?){30}. */
function withoutLimits(source: string): string {
  return readPart([...(source.match(TOKENS) ?? [])]).text;
}

/** Reads the tokens up to a closing parenthesis, and removes them from the array. */
function readPart(tokens: string[]): Part {
  let [text, others, ways] = ['', 0, 1];
  let last: Part = { text: '', ways: 1 };
  for (let token = tokens.shift(); token !== undefined && token !== ')'; token = tokens.shift()) {
    if (/^[*+?{]/.test(token)) last = repeated(last, token);
    else {
      text += last.text;
      ways *= last.ways;
      if (token === '|') [others, ways] = [others + ways, 1];
      const group = token.startsWith('(') ? readPart(tokens) : undefined;
      last = { text: group ? `${token}${group.text})` : token, ways: group?.ways ?? 1 };
    }
  }
  return { text: text + last.text, ways: others + ways * last.ways };
}

function repeated({ text, ways }: Part, quantifier: string): Part {
  if (quantifier.startsWith('?')) return { text: text + quantifier, ways: ways + 1 };
  if (!/\d\}/.test(quantifier)) return { text: text + quantifier, ways: 10 };
  const [least = 0, most = least] = (quantifier.match(/\d+/g) ?? []).map(Number);
  const all = (most - least + 1) * ways ** most;
  if (most < 10 && all <= 10_000) return { text: text + quantifier, ways: all };
  // With {30}, a repetition can match the empty string, but with *, it cannot. In a pair of repetitions, one can be
  // empty.
  return { text: text.endsWith(')') ? `(?:${text}{2})*` : `${text}*`, ways: 10 };
}
