import type { MoneyRecord } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
import type { Queries } from '@gateway/persistence';
import type { SoundLink } from '#src/sides/check-links.ts';
import type { Finding } from '#src/sides/findings.ts';

/** Commands that book the fee of a record, and the kind of the record. */
const feeKinds: Readonly<Record<string, MoneyRecord['kind']>> = {
  'credit-deposit': 'payment',
  'debit-payout': 'payout',
  'redebit-payout': 'payout',
};

/** Fees that the ledger has booked and the record has not, or the other way round: no provider sees them. */
export function feeFindings(
  environment: Environment,
  links: readonly SoundLink[],
  records: readonly MoneyRecord[],
): Finding[] {
  const known = new Map(records.map((record) => [`${record.kind} ${record.id}`, record]));
  return links.flatMap(({ commandId, request, isApplied }) => {
    const record = known.get(`${feeKinds[request.kind] ?? ''} ${commandId.split(':')[1] ?? ''}`);
    if (!isApplied || !record || record.fee === (request.fee ?? 0)) return [];
    return [toFinding(environment, record, request.fee ?? 0)];
  });
}

function toFinding(environment: Environment, record: MoneyRecord, lAmount: number): Finding {
  const { provider, currency, accountId, id, fee: rAmount } = record;
  const amounts = { amount: rAmount - lAmount, rAmount, lAmount };
  return { environment, provider, currency, subject: `fee:${id}`, reason: 'fee_differs', ...amounts, accountId };
}

/** By what the ledger has booked the fee of a record first. */
function bookingOf({ kind, id }: MoneyRecord): string[] {
  if (kind === 'payment') return [`credit-deposit:${id}`];
  return kind === 'payout' ? [`debit-payout:${id} transit:payouts`] : [];
}

/** Records that are read again, and have another fee by now than the ledger has booked. */
export async function changedFees(
  database: Queries,
  environment: Environment,
  records: readonly MoneyRecord[],
): Promise<Finding[]> {
  const keys = records.flatMap(bookingOf);
  if (keys.length === 0) return [];
  const rows = await database.query<{ key: string; fee: number }>(
    `select key, fee from fact where environment = $1 and side = 'L' and key = any($2) and fee is not null`,
    [environment, keys],
  );
  const booked = new Map(rows.map(({ key, fee }) => [key, fee]));
  return records.flatMap((record) => {
    const fee = bookingOf(record).flatMap((key) => booked.get(key) ?? [])[0];
    return fee === undefined || fee === record.fee ? [] : [toFinding(environment, record, fee)];
  });
}
