/** Without the members that have no value: an address has no filter that is not set. */
export function defined<Members extends object>(given: {
  readonly [Name in keyof Members]: Members[Name] | undefined;
}): Partial<Members> {
  const entries = Object.entries<unknown>(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Members>;
}
