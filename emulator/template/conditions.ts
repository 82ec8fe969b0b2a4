import { EmulatorError, unsupported } from '../emulator-error.ts';
import { type Json, listOf, objectOf } from '../json.ts';
import type { Resolver } from './intrinsics.ts';

/** Whether the named condition of the template holds. */
export function conditionHolds(name: string, resolver: Resolver): boolean {
  const condition = resolver.template.conditions[name];
  if (condition === undefined)
    throw new EmulatorError(`The template has no condition ${name}: add it to Conditions, or name another`);
  return holds(condition, `Conditions.${name}`, resolver);
}

function holds(expression: Json | undefined, where: string, resolver: Resolver): boolean {
  const condition = objectOf(expression, where);
  const [operator] = Object.keys(condition);
  const [argument] = Object.values(condition);
  const operands = () => listOf(argument, where);
  switch (operator) {
    case 'Condition':
      return conditionHolds(String(argument), resolver);
    case 'Fn::Equals': {
      const [left, right] = operands().map((operand) => resolver.resolve(operand, where));
      return String(left) === String(right);
    }
    case 'Fn::Not':
      return !holds(operands()[0], where, resolver);
    case 'Fn::And':
      return operands().every((operand) => holds(operand, where, resolver));
    case 'Fn::Or':
      return operands().some((operand) => holds(operand, where, resolver));
    default:
      throw unsupported(
        `${where}: the emulator knows no condition like ${JSON.stringify(condition)}`,
        'emulator/template/conditions.ts',
      );
  }
}
