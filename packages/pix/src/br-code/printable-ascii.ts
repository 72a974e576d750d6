/** Single blanks between printable ASCII: most names are that already. */
const printableWords = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/**
 * The text as a field of a BR Code holds it: accents folded, white space collapsed, what is not printable ASCII left out,
 * then cut to length without a blank at the cut. Lengths count characters in some readers and bytes in others; in ASCII
 * both agree.
 */
export function toPrintableField(text: string, maxCharacters: number): string {
  const printable = printableWords.test(text) ? text : folded(text);
  return printable.slice(0, maxCharacters).trimEnd();
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim();
}
