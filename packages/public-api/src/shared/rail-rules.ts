import { rails, railsOf, type Currency, type PaymentMethod, type PayoutKeyType, type Rail } from '@gateway/money';
import { isPixKeyType, parseClabe, parseDocument, parseMexicanDocument, parsePixKey } from '@gateway/pix';

/** What a request names on a rail, in the form that is recorded. */
type Parsed = { readonly ok: true; readonly value: string } | { readonly ok: false };

/** How the documents of a country are read, and what is answered of one that cannot be. */
const documentsOf: Readonly<
  Record<Rail['country'], { readonly parse: (text: string) => Parsed; readonly rule: string }>
> = {
  BR: { parse: parseDocument, rule: 'must be a valid CPF or CNPJ' },
  MX: { parse: parseMexicanDocument, rule: 'must be an RFC, a CURP, or 10 to 20 letters and digits' },
};

/** Brazil's where no rail says otherwise: a currency without one is refused by itself. */
function documentsIn(currency: Currency | undefined) {
  const [rail] = currency === undefined ? [] : railsOf(currency);
  return documentsOf[rail === undefined ? 'BR' : rails[rail].country];
}

/**
 * The document of a payer or recipient in a currency, without punctuation. Undefined when it is not valid; an unknown
 * currency is refused by itself.
 */
export function readDocument(currency: Currency | undefined, text: string): string | undefined {
  if (currency === undefined) return text;
  const read = documentsIn(currency).parse(text);
  return read.ok ? read.value : undefined;
}

export function documentRule(currency: Currency | undefined): string {
  return documentsIn(currency).rule;
}

/** A key in the form its rail keeps it, or what is wrong with it. */
export type ReadKey = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly message: string };

const keysOf: Readonly<Record<PaymentMethod, (type: PayoutKeyType, text: string) => ReadKey>> = {
  PIX: readPixKey,
  SPEI: readClabe,
};

/** @param type one of the rail's key types */
export function readPayoutKey(rail: PaymentMethod, type: PayoutKeyType, text: string): ReadKey {
  return keysOf[rail](type, text);
}

function readPixKey(type: PayoutKeyType, text: string): ReadKey {
  if (!isPixKeyType(type)) throw new TypeError(`${type} is no type of PIX key`);
  const key = parsePixKey(type, text);
  return key.ok ? key : { ok: false, message: pixKeyRefusals[key.reason] };
}

const pixKeyRefusals = {
  MALFORMED: 'does not fit its pix_key_type',
  CHECK_DIGITS: 'has wrong check digits',
  TOO_LONG: 'is longer than a PIX key can be',
} as const;

function readClabe(_type: PayoutKeyType, text: string): ReadKey {
  const clabe = parseClabe(text);
  if (clabe.ok) return clabe;
  const message = clabe.reason === 'CHECK_DIGIT' ? 'has a wrong control digit' : 'must be a CLABE of 18 digits';
  return { ok: false, message };
}
