import { checkDigit, isOneCharacterRepeated } from '#src/documents/check-digit.ts';

/** True for eleven digits with both check digits right (weights 10–2 and 11–2); one digit repeated is refused. */
export function isCpf(value: string): boolean {
  if (!/^\d{11}$/.test(value) || isOneCharacterRepeated(value)) return false;
  const first = checkDigit(value.slice(0, 9), 11);
  const second = checkDigit(value.slice(0, 9) + first, 11);
  return value.endsWith(first + second);
}
