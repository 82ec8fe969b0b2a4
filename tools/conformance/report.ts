import type { Expectation } from './row.ts';
import type { Result } from './run-rows.ts';
import type { Target } from './target.ts';

export function report({ row, verdict, response }: Result, target: Target): string {
  const { name, expected = [], source = 'the contract' } = row;
  const lines = [`  ${verdict.padEnd(9)}${name}`, masked(describe(response), target)];
  if (verdict === 'differs') {
    const alternatives = [expected].flat().map(describe).join(' or ');
    lines.push(`expected: ${masked(alternatives, target)}`, `source: ${source}`);
  }
  return lines.join(`\n${' '.repeat(11)}`);
}

export function summary(counts: Record<Result['verdict'], number>, items: string): string {
  return `
Settled behaviors: ${counts.same} same, ${counts.differs} different.
Open questions: ${counts.open}; their responses are above.
The run may have left items behind: ${items}.`;
}

function describe({ status, headers = {}, body, json, error }: Expectation): string {
  const shown = ['content-type', 'x-amzn-errortype', 'www-authenticate'].filter(
    (name) => name in headers,
  );
  const values = shown.map((name) => `${name}: ${headers[name]}`);
  const content = json === undefined ? error && `error ${error}` : JSON.stringify(json);
  return [status, ...values, body, content].filter(Boolean).join(', ');
}

/**
 * Returns a text in one line of at most about 240 characters, without control or invisible characters. Masks the token,
 * the API's id and account ids, because some of AWS's messages contain them.
 */
export function masked(text: string, { baseUrl, token }: Target): string {
  const withoutToken = text.replaceAll(token, '<token>');
  const [apiId] = /^\w+(?=\.execute-api\.)/.exec(baseUrl.hostname) ?? [];
  const withoutId = apiId
    ? withoutToken.replaceAll(new RegExp(apiId, 'gi'), '<api>')
    : withoutToken;
  const withoutAccount = withoutId.replaceAll(/(?<!\d)\d{12}(?!\d)/g, '<account>');
  // Shortens the text last, because a token that was cut in two would not be masked.
  const line = withoutAccount.replaceAll(/[\s\p{C}]+/gu, ' ').trim();
  return line.length > 240 ? `${line.slice(0, 240)} …` : line;
}
