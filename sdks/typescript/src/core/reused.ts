import type { Resource, Version } from '../contracts.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { Created } from './answer.ts';

type Creatable = 'Deposit' | 'Payout' | 'Refund' | 'Conversion' | 'Export';

/** A record that has an `external_id`; `object` says which: `if (existing.object === 'payout') existing.recipient`. */
export type ExistingRecord = Resource<Version, Creatable>;

/**
 * The `external_id` was used before for something else: the answer is the record of then, and what was asked for now did not
 * happen. A new `external_id` makes it happen; `allowReused: true` takes the record of then as the answer.
 */
export class ExternalIdReusedError extends GatewayError {
  static {
    this.prototype.name = 'ExternalIdReusedError';
  }

  readonly code = 'EXTERNAL_ID_REUSED' as const;
  /** Of the answer that had the record: 200. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** The record that has the `external_id`. */
  readonly existing: ExistingRecord;
  /** The members in which it differs from what was asked for. */
  readonly differing: readonly string[];

  constructor(
    existing: ExistingRecord,
    externalId: string,
    differing: readonly string[],
    answer: { readonly status: number; readonly requestId: string | undefined },
  ) {
    const id = answer.requestId === undefined ? '' : `, request ${answer.requestId}`;
    super(
      `external_id ${JSON.stringify(externalId)} belongs to ${existing.id}, which differs in ${differing.join(', ')}: ` +
        'nothing was made. Send another external_id, or take that record by allowReused: true ' +
        `(${answer.status} EXTERNAL_ID_REUSED${id})`,
    );
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.existing = existing;
    this.differing = differing;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** What a repetition has to have in common with the record of its `external_id`: by the body's name and the record's. */
const compared: readonly (readonly [asked: string, kept: string])[] = [
  ['amount_cents', 'amount_cents'],
  ['amount', 'amount'],
  // Of a conversion; an export has its days by the same names.
  ['amount', 'from_amount'],
  ['from', 'from'],
  ['to', 'to'],
  ['quote_id', 'quote_id'],
  // Of an export; a payout has a kind, too.
  ['kind', 'kind'],
  ['format', 'format'],
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
export function refuseAnotherRecord(asked: Members, record: Members & Pick<Created<object>, 'meta'>): void {
  const differing = compared
    .filter(([name, kept]) => isThere(asked[name]) && isThere(record[kept]) && !isSame(asked[name], record[kept]))
    .map(([name]) => name);
  if (differing.length === 0) return;
  const { status, requestId } = record.meta;
  const existing = record as unknown as ExistingRecord;
  throw new ExternalIdReusedError(existing, String(asked['external_id']), differing, { status, requestId });
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
