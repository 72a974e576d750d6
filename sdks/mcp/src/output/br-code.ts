/** Free text of a BR Code has at most 25 characters (the payee's name), an address 77: too little to instruct. */
const nameLengthMax = 25;
const addressText = /^[\w.:/-]{1,77}$/;

/** Fields that hold fields themselves: accounts of the payee, and what is added to the payment. */
const isTemplate = (id: number): boolean => (id >= 26 && id <= 51) || id === 62 || id >= 80;

/**
 * Whether a text is the code that a payer copies, whole, with no more free text in a field than the standard has room for
 * (EMV QRCPS for merchants, 3.2; BACEN, manual of the BR Code). Each field is two digits of its id, two of its length, and its value.
 */
export function isBrCode(text: string): boolean {
  const fields = fieldsOf(text);
  const first = fields?.[0];
  const last = fields?.at(-1);
  if (!fields || first?.id !== 0 || first.value !== '01' || last?.id !== 63 || !/^[\dA-F]{4}$/.test(last.value))
    return false;
  return fields.every(({ id, value }) =>
    isTemplate(id) ? (fieldsOf(value)?.every(isShort) ?? false) : isShort({ value }),
  );
}

interface Field {
  readonly id: number;
  readonly value: string;
}

function isShort({ value }: Pick<Field, 'value'>): boolean {
  return value.length <= nameLengthMax || addressText.test(value);
}

/** @returns undefined for a text that is not made of fields */
function fieldsOf(text: string): Field[] | undefined {
  const fields: Field[] = [];
  for (let at = 0; at < text.length;) {
    const head = text.slice(at, at + 4);
    const value = text.slice(at + 4, at + 4 + Number(head.slice(2)));
    if (!/^\d{4}$/.test(head) || value.length !== Number(head.slice(2))) return undefined;
    fields.push({ id: Number(head.slice(0, 2)), value });
    at += 4 + value.length;
  }
  return fields;
}
