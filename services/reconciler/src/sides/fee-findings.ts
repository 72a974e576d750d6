import type { MoneyRecord } from '@gateway/contracts/ledger';
import type { Environment } from '@gateway/contracts/values';
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
    const { provider, currency, accountId, id, fee } = record;
    const [rAmount, lAmount] = [fee, request.fee ?? 0];
    const subject = `fee:${id}`;
    const amount = rAmount - lAmount;
    return [{ environment, provider, currency, subject, reason: 'fee_differs', amount, rAmount, lAmount, accountId }];
  });
}
