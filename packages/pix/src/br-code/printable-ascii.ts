/**
 * The text as a field of a BR Code holds it: accents folded, white space collapsed, what is not printable ASCII left out,
 * then cut to length without a blank at the cut. Lengths count characters in some readers and bytes in others; in ASCII
 * both agree.
 */
export function toPrintableField(text: string, maxCharacters: number): string {
  return text
    .normalize('NFKD')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, maxCharacters)
    .trimEnd();
}
