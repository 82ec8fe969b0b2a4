import { Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** Tells cdk-nag's rules, for this one construct, why what they find there is meant. */
export function acknowledge(construct: IConstruct, rules: readonly string[], reason: string): void {
  for (const rule of rules) {
    const [pack] = rule.split('-');
    Validations.of(construct).acknowledge({ id: `${pack}::${rule}`, reason });
  }
}
