/** Centavos as `37.00`. */
export function amountText(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The reverse, of text a schema has let through. */
export function centsOf(text: string): number {
  return Number(text.replace('.', ''));
}
