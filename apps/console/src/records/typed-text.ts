/** What was typed into a filter; undefined where nothing was. */
export function textOf(typed: FormDataEntryValue | null): string | undefined {
  return typeof typed === 'string' && typed.trim() !== '' ? typed.trim() : undefined;
}
