import type { AuditedAdjustment } from '@gateway/contracts/accounts';
import { adjustmentArrays, type BookedAdjustment } from '#src/sides/adjustments.ts';
import { openFindings, type Finding } from '#src/sides/findings.ts';
import type { SidesDependencies } from '#src/sides/read-ledger.ts';

const pageAdjustments = 200;
/** The gateway records the approval once the ledger has answered. */
const settleMs = 5_000;
/** Without its audit rows until then, it is an exception. */
const auditedWithinMs = 60_000;

const bookedSql = `
  select environment, kind, id, account_id as "accountId", currency, amount, decided_at as "decidedAt" from adjustment
  where checked_at is null and decided_at <= $1 order by decided_at limit ${pageAdjustments}`;

const checkedSql = `
  update adjustment as known set checked_at = $1 from ${adjustmentArrays.from(2, 'item')}
  where (known.environment, known.kind, known.id, known.account_id, known.currency, known.amount)
    = (item.environment, item.kind, item.id, item."accountId", item.currency, item.amount)`;

/** The first moment at which an adjustment is to be compared. */
export const adjustmentsDue = `(select min(decided_at) + interval '${settleMs} ms' from adjustment where checked_at is null)`;

/** Compares booked adjustments with the audit trail: each was proposed by one operator and approved by another. */
export async function checkAdjustments({ database, sources, now }: SidesDependencies): Promise<void> {
  const at = now();
  const booked = await database.query<BookedAdjustment>(bookedSql, [new Date(at.getTime() - settleMs)]);
  if (booked.length === 0) return;
  const audited = await sources.adjustments(booked.map(({ id }) => id));
  // An approval is for one command. An earlier version of the gateway does not say for which.
  const auditedOf = ({ kind, id }: BookedAdjustment) =>
    audited.find((each) => each.id === id && (each.kind ?? kind) === kind);
  const isAudited = (each: BookedAdjustment) => isByTwo(each, auditedOf(each));
  const isLate = ({ decidedAt }: BookedAdjustment) => at.getTime() - decidedAt.getTime() >= auditedWithinMs;
  const checked = booked.filter((each) => isAudited(each) || isLate(each));
  await database.transaction(async (tx) => {
    await openFindings(
      tx,
      checked.filter((each) => !isAudited(each)).map((each) => toFinding(each, auditedOf(each))),
      at,
    );
    await tx.sql(checkedSql, [at, ...adjustmentArrays.parametersOf(checked)]);
  });
}

function isByTwo(booked: BookedAdjustment, audited: AuditedAdjustment | undefined): boolean {
  if (!audited?.proposedBy || !audited.approvedBy) return false;
  const isSame =
    audited.environment === booked.environment &&
    audited.accountId === booked.accountId &&
    audited.currency === booked.currency &&
    audited.amount === booked.amount;
  return isSame && audited.proposedBy !== audited.approvedBy;
}

function toFinding(booked: BookedAdjustment, audited: AuditedAdjustment | undefined): Finding {
  const { environment, kind, id, accountId, currency, amount: lAmount } = booked;
  const subject = kind === 'adjust' ? `adjustment:${id}` : `own-funds:${id}`;
  return {
    ...{ environment, provider: 'none', currency, subject, reason: 'adjustment_not_approved' },
    ...{ amount: lAmount, rAmount: audited?.amount ?? 0, lAmount, accountId },
  };
}
