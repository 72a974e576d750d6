import { checkDigit, isOneCharacterRepeated } from '#src/documents/check-digit.ts';

/**
 * True for twelve digits or upper-case letters and two check digits that fit. One algorithm covers the numeric and the
 * alphanumeric CNPJ (IN RFB 2229 of 2024-10-15; SERPRO, "Cálculo do DV do CNPJ alfanumérico"): weights 2–9, the second
 * digit over base and first digit. One digit repeated is refused.
 */
export function isCnpj(value: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(value) || isOneCharacterRepeated(value)) return false;
  const first = checkDigit(value.slice(0, 12), 9);
  const second = checkDigit(value.slice(0, 12) + first, 9);
  return value.endsWith(first + second);
}
