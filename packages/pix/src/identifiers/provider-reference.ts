/**
 * The reference a record has at every provider: its id without the prefix, 26 letters and digits. That fits a txid
 * (26–35), Efí's `idEnvio` (1–35) and a refund id (1–35), and being derived, a retry can never make a second one.
 *
 * @throws RangeError when the text is not a record's id
 */
export function toProviderReference(id: string): string {
  const [, reference] = /^[a-z]{3}_([0-9a-hjkmnp-tv-z]{26})$/.exec(id) ?? [];
  if (reference === undefined) throw new RangeError('not the id of a record');
  return reference;
}
