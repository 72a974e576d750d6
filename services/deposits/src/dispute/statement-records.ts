import type { getDepositRecords } from '@gateway/contracts/deposits';
import type { StatementRecord } from '@gateway/contracts/ledger';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import { isId, type IdKind } from '@gateway/money';
import { DepositEntity, type DepositRow } from '#src/deposit/deposit-entity.ts';
import type { DisputeDependencies } from '#src/dispute/dependencies.ts';
import { DisputeEntity } from '#src/dispute/dispute-entity.ts';
import { RefundEntity } from '#src/refund/refund-entity.ts';

/** What an accounting statement says of deposits, refunds and disputes; the last two have the payer of their deposit. */
export async function getStatementRecords(
  { database }: DisputeDependencies,
  { environment, accountId, ids }: RequestOf<typeof getDepositRecords>,
): Promise<ReplyOf<typeof getDepositRecords>> {
  const em = database.reader();
  const within = (kind: IdKind) => ({
    environment,
    accountId,
    id: { $in: ids.filter((id) => isId(kind, id)) },
  });
  const [refunds, disputes] = await Promise.all([
    em.find(RefundEntity, within('refund')),
    em.find(DisputeEntity, within('dispute')),
  ]);
  const named = [...within('deposit').id.$in, ...[...refunds, ...disputes].map(({ depositId }) => depositId)];
  const rows = await em.find(DepositEntity, { environment, accountId, id: { $in: [...new Set(named)] } });
  const deposits = new Map(rows.map((row) => [row.id, row]));
  const payerOf = (depositId: string) => counterpartyOf(deposits.get(depositId));
  return {
    records: [
      ...rows
        .filter(({ id }) => ids.includes(id))
        .map(({ id, externalId, e2eId }) => ({
          id,
          externalId,
          e2eId: e2eId ?? null,
          counterparty: payerOf(id),
        })),
      ...refunds.map(({ id, externalId, returnId, depositId }) => ({
        id,
        externalId,
        e2eId: returnId ?? null,
        counterparty: payerOf(depositId),
      })),
      ...disputes.map(({ id, externalId, depositId, e2eId }) => ({
        id,
        externalId,
        e2eId,
        counterparty: payerOf(depositId),
      })),
    ],
  };
}

/** Who really paid, as far as the provider reports it; else who was named when the deposit was created. */
function counterpartyOf(deposit: DepositRow | undefined): StatementRecord['counterparty'] {
  const paid = deposit?.payerDetails;
  const named = deposit?.payer;
  if (!paid && !named) return null;
  return { name: paid?.name ?? named?.name ?? null, document: paid?.document ?? named?.document ?? null };
}
