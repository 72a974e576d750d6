import { randomUUID } from 'node:crypto';
import type { Tx } from '@gateway/persistence';
import { disputeColumns, disputeTables, type Dispute, type DisputeStatus } from '#src/account/dispute.ts';
import type { ReceivedPayment } from '#src/account/received-payment.ts';
import { returnId } from '#src/account/spi-ids.ts';
import { announce } from '#src/bank/announce.ts';
import { bankIspb, type Dialects } from '#src/bank/bank.ts';

/** Days the receiver's bank analyses a claim. */
const analysisDays = 7;

export async function openDispute(
  tx: Tx,
  dialects: Dialects,
  { payment, amount, now }: { readonly payment: ReceivedPayment; readonly amount: number; readonly now: Date },
): Promise<Dispute> {
  const dueAt = new Date(now.getTime() + analysisDays * 86_400_000);
  const [row] = await tx.sql<{ id: string }>(
    `insert into dispute (id, dialect, payment_id, amount, status, reason, opened_at, due_at, changed_at)
     values ($1, $2, $3, $4, 'OPEN', 'Golpe', $5, $6, $5)
     on conflict (payment_id) do update set status = 'OPEN', amount = excluded.amount, changed_at = excluded.changed_at
     returning id`,
    [randomUUID(), payment.dialect, payment.id, amount, now, dueAt],
  );
  return await announced(tx, dialects, row?.id ?? '', now);
}

/** The claim moves on; accepted, the money goes back at once under MED, and comes again when that is taken back. */
export async function changeDispute(
  tx: Tx,
  dialects: Dialects,
  { dispute, status, now }: { readonly dispute: Dispute; readonly status: DisputeStatus; readonly now: Date },
): Promise<Dispute> {
  await tx.sql('update dispute set status = $2, changed_at = $3 where id = $1', [dispute.id, status, now]);
  const reference = dispute.id.replaceAll('-', '');
  if (status === 'ACCEPTED') {
    await tx.sql(
      `insert into refund (payment_id, reference, return_id, amount, nature, status, requested_at, settled_at)
       values ($1, $2, $3, $4, 'MED_FRAUDE', 'DONE', $5, $5)
       on conflict (payment_id, reference) do update set status = 'DONE', failure = null, settled_at = $5`,
      [dispute.paymentId, reference, returnId(bankIspb, now), dispute.amount, now],
    );
  } else {
    await tx.sql(`update refund set status = 'FAILED', failure = $3 where payment_id = $1 and reference = $2`, [
      ...[dispute.paymentId, reference, 'Decisao revista pelo participante.'],
    ]);
  }
  return await announced(tx, dialects, dispute.id, now);
}

/** What the receiver says; the claim is under analysis from then on. */
export async function defend(
  tx: Tx,
  dialects: Dialects,
  { dispute, text, documents, now }: { dispute: Dispute; text: string; documents: Dispute['documents']; now: Date },
): Promise<Dispute | null> {
  if (dispute.status !== 'OPEN' && dispute.status !== 'UNDER_ANALYSIS') return null;
  await tx.sql('update dispute set defence = $2, documents = documents || $3::jsonb where id = $1', [
    ...[dispute.id, text, JSON.stringify(documents)],
  ]);
  return await changeDispute(tx, dialects, { dispute, status: 'UNDER_ANALYSIS', now });
}

export async function findDispute(tx: Pick<Tx, 'sql'>, idOrPayment: string): Promise<Dispute | null> {
  const [dispute] = await tx.sql<Dispute>(
    `select ${disputeColumns} from ${disputeTables} where d.id = $1 or p.e2e_id = $1`,
    [idOrPayment],
  );
  return dispute ?? null;
}

async function announced(tx: Tx, dialects: Dialects, id: string, now: Date): Promise<Dispute> {
  const dispute = await findDispute(tx, id);
  if (!dispute) throw new Error('the dispute is not there after its change');
  await announce(tx, dialects, { kind: 'dispute', dispute, at: now });
  return dispute;
}
