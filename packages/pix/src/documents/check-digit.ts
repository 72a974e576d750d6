/**
 * Modulo-11 check digit of the Receita Federal: weights rise from 2 at the right end and start over after `weightMax`;
 * a character counts as its ASCII code minus 48, so `0`–`9` are 0–9 and `A`–`Z` are 17–42 (IN RFB 2229/2024).
 */
export function checkDigit(base: string, weightMax: number): string {
  let sum = 0;
  let weight = 2;
  for (let position = base.length - 1; position >= 0; position -= 1) {
    sum += (base.charCodeAt(position) - 48) * weight;
    weight = weight === weightMax ? 2 : weight + 1;
  }
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}

/** True when one character fills the whole text: the sums of such numbers add up, and none was ever issued. */
export function isOneCharacterRepeated(text: string): boolean {
  return text === text.charAt(0).repeat(text.length);
}
