export interface TlvField {
  readonly id: string;
  readonly value: string;
}

/** Longest value a two-digit length can announce. */
export const tlvValueMaxCharacters = 99;

/**
 * One field as EMVCo Merchant-Presented QR writes it: two digits of id, two of length, the value.
 *
 * @throws RangeError when the value is empty or longer than two digits can say
 */
export function writeTlv(id: string, value: string): string {
  if (value.length === 0 || value.length > tlvValueMaxCharacters) {
    throw new RangeError(`field ${id} takes 1 to ${tlvValueMaxCharacters} characters, not ${value.length}`);
  }
  return `${id}${String(value.length).padStart(2, '0')}${value}`;
}

/** Every field of a text, in its order; null when a length does not fit what follows, or an id occurs twice. */
export function readTlv(text: string): readonly TlvField[] | null {
  const fields: TlvField[] = [];
  const ids = new Set<string>();
  let position = 0;
  while (position < text.length) {
    const header = text.slice(position, position + 4);
    if (!/^\d{4}$/.test(header)) return null;
    const id = header.slice(0, 2);
    const start = position + 4;
    const end = start + Number(header.slice(2));
    if (end === start || end > text.length || ids.has(id)) return null;
    ids.add(id);
    fields.push({ id, value: text.slice(start, end) });
    position = end;
  }
  return fields;
}
