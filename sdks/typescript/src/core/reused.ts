import { ExternalIdReusedError } from '../errors/errors.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a repetition has to have in common with the record of its `external_id`: by the body's name and the record's. */
const compared: readonly (readonly [asked: string, kept: string])[] = [
  ['amount_cents', 'amount_cents'],
  ['amount', 'amount'],
  // Of a conversion.
  ['amount', 'from_amount'],
  ['from', 'from'],
  ['to', 'to'],
  // Of a refund.
  ['deposit_id', 'deposit_id'],
  ['currency', 'currency'],
  ['pix_key', 'pix_key'],
  ['payout_key', 'payout_key'],
];

/**
 * The gateway answers a used `external_id` with the record of then, whatever is asked for now. A caller that goes on as if its
 * own payment had been made would be wrong.
 *
 * @throws ExternalIdReusedError when the record is not what was asked for
 */
export function refuseAnotherRecord(asked: Members, record: Members): void {
  const differing = compared
    .filter(([name, kept]) => isThere(asked[name]) && isThere(record[kept]) && !isSame(asked[name], record[kept]))
    .map(([name]) => name);
  if (differing.length > 0) throw new ExternalIdReusedError(record, String(asked['external_id']), differing);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Keys are written in several ways: with marks or without, in upper or lower case, a phone without its country. */
function isSame(asked: unknown, kept: unknown): boolean {
  if (typeof asked !== 'string' || typeof kept !== 'string') return asked === kept;
  const [given, known] = [plain(asked), plain(kept)];
  return given === known || (kept.startsWith('+') && /^\d{10,}$/.test(given) && known.endsWith(given));
}

function plain(key: string): string {
  return key.includes('@') ? key.trim().toLowerCase() : key.toLowerCase().replaceAll(/[\s./()+-]/g, '');
}
