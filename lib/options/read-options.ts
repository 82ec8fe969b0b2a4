import type { Node } from 'constructs';
import { isStageName } from '../stage-names.ts';
import { UserError } from '../user-error.ts';
import { hasAlarms, OPTION_NAMES, OPTIONS, type Options, optionsByName } from './options.ts';
import { parseOption } from './valid-values.ts';

type Context = Readonly<Record<string, unknown>>;

/**
 * The options of the stage that `-c stage=NAME` selects, with their defaults. `-c` overrides cdk.json.
 *
 * @throws UserError if an option is unknown or invalid, or does not fit the other options
 */
export function readOptions(node: Node): Options {
  // Options set with `-c NAME=VALUE`, and options set for all stages under `context` in cdk.json; the CDK merges them.
  const common: Context = node.getAllContext();
  const stage = parseOption('stage', OPTIONS.stage, common.stage ?? OPTIONS.stage.default);
  assertKnown(common, OPTION_NAMES, 'docs/options.md');
  // Ignores the objects of other stages, so that a mistake in one stage does not break another.
  const stageOptions = isObject(common[stage]) ? common[stage] : {};
  const place = `in context.${stage} of cdk.json`;
  const allowed = OPTION_NAMES.filter((name) => name !== 'stage');
  const unknown = Object.keys(stageOptions).find((key) => !allowed.includes(key));
  if (unknown !== undefined) {
    throw new UserError(
      `unknown option ${unknown} ${place}; expected one of ${allowed.join(', ')}`,
    );
  }

  const parsed = new Map<string, unknown>();
  for (const [name, option] of Object.entries(optionsByName)) {
    if (common[name] !== undefined) parsed.set(name, parseOption(name, option, common[name]));
    else if (stageOptions[name] !== undefined)
      parsed.set(name, parseOption(`${name} ${place}`, option, stageOptions[name]));
  }
  const names = [...parsed.keys()];
  if (!hasAlarms(stage, parsed.get('profile'))) assertNoneNeedsAlarms(names, stage);
  assertCombination(names);
  // `fromEntries` returns `any`: the compiler cannot see that these are all options, each parsed or its default.
  const values = Object.entries(optionsByName).map(([name, option]) => {
    return [name, parsed.get(name) ?? option.default];
  });
  return Object.fromEntries(values);
}

function assertNoneNeedsAlarms(names: readonly string[], stage: string): void {
  const useless = names.filter((name) => optionsByName[name]?.needsAlarms);
  if (useless.length === 0) return;
  throw new UserError(
    `${useless.join(' and ')} cannot be set without the stage prod or profile=prod (got stage ${stage}); ` +
      'add -c profile=prod, or move them to context.prod in cdk.json',
  );
}

function assertCombination(names: readonly string[]): void {
  for (const name of names) {
    const { needs = [], excludes } = optionsByName[name] ?? {};
    const missing = needs.filter((each) => !names.includes(each));
    if (missing.length > 0) {
      const needing = names.filter((each) =>
        optionsByName[each]?.needs?.some((need) => missing.includes(need)),
      );
      const useless = needing.join(' and ');
      const absent = missing.join(' and ');
      throw new UserError(
        `${useless} cannot be set without ${absent}; set ${absent} too, or remove ${useless}`,
      );
    }
    const excluded = excludes?.names.filter((each) => names.includes(each)) ?? [];
    if (excluded.length > 0) {
      throw new UserError(
        `${excluded.join(' and ')} cannot be set with ${name}; remove ${name}, or ${excludes?.instead}`,
      );
    }
  }
}

/**
 * Context keys of the CDK and its tools contain `:` or `/`, so any other key must be an option or a stage.
 *
 * @param names the options of the app. Both apps read cdk.json, so GitHub's app ignores the service's options.
 */
export function assertKnown(common: Context, names: readonly string[], page: string): void {
  const isStage = (key: string) => isStageName(key) && isObject(common[key]);
  const isKnown = (key: string) => [...names, ...OPTION_NAMES].includes(key) || isStage(key);
  const unknown = Object.keys(common).find((key) => !/[:/]/.test(key) && !isKnown(key));
  if (unknown === undefined) return;
  throw new UserError(
    `unknown option ${unknown} (set with -c or under "context" in cdk.json); expected one of ${names.join(', ')}, ` +
      `or the name of a stage with an object of its options (see ${page})`,
  );
}

function isObject(value: unknown): value is Context {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
