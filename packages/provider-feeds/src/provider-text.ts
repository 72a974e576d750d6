const charactersMax = 500;

/** What a provider sent, or a cause that may quote it, as far as it is kept, and as PostgreSQL takes it. */
export function providerText(text: string): string {
  return text.slice(0, charactersMax).replaceAll('\0', ' ').toWellFormed();
}
