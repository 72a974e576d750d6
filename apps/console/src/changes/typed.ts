import type { Currency } from '#src/generated/types.gen.ts';
import { typedAmount } from '#src/money/minor-units.ts';

/** What was typed into a field, without spaces at its ends. */
export function textIn(typed: FormData, name: string): string {
  const value = typed.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** What was chosen in a field that has no other values than these. */
export function oneOf<Value extends string>(typed: FormData, name: string, values: readonly Value[]): Value {
  const value = values.find((each) => each === textIn(typed, name));
  if (value === undefined) throw new RangeError(`${name}: ${textIn(typed, name)}`);
  return value;
}

/** All that were chosen of these. */
export function allOf<Value extends string>(typed: FormData, name: string, values: readonly Value[]): Value[] {
  const chosen = typed.getAll(name);
  return values.filter((value) => chosen.includes(value));
}

/** An amount of a money field, in the smallest unit; null where it was left empty. */
export function amountIn(typed: FormData, name: string, currency: Currency): number | null {
  return typedAmount(textIn(typed, name), currency) ?? null;
}

/** The lines that are not empty, of a field that takes one thing a line. */
export function linesIn(typed: FormData, name: string): string[] {
  return textIn(typed, name)
    .split(/[\n,;]/)
    .map((line) => line.trim())
    .filter(Boolean);
}
