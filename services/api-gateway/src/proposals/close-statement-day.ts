import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { closeStatementDay, listStatementDays, type StatementDay } from '@gateway/contracts/reconciler';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import { presentStatementDay } from '@gateway/public-api';
import type { Approval, ApprovalRules } from '#src/approvals/approval.ts';
import { type OperatorAct, recordAudit } from '#src/approvals/audit.ts';
import { proposeApproval, requireUnchanged } from '#src/approvals/propose-approval.ts';

/** Of a provider that has many lines, what came since the day before is summed. */
const closingTimeoutMs = 20_000;

/** A day of a provider's account, São Paulo. */
type WantedDay = Pick<StatementDay, 'provider' | 'currency' | 'day'>;

/**
 * That a day is closed with its difference, for another operator to approve: what is missing in it is looked for no more in
 * the days after it.
 *
 * @throws NotFoundError unless it is the day of its account that is closed next; DomainError INVALID_STATE for one that is
 *   closed
 */
export async function proposeClosing(
  { database, bus }: { readonly database: Database; readonly bus: Askable },
  act: OperatorAct,
  { provider, currency, day }: WantedDay,
  reason: string,
): Promise<Approval> {
  const known = await findDay(bus, { provider, currency, day });
  if (known.state === 'CLOSED') throw new DomainError('INVALID_STATE', 'the day is closed');
  const target = `${provider}/${currency}/${day}`;
  const subject = { kind: 'statement-day.close', environment: 'live', accountId: null, target } as const;
  const proposal = { ...subject, request: { provider, currency, day }, before: presentStatementDay(known), reason };
  return await database.transaction(async (tx) => proposeApproval(tx, act, proposal));
}

/** Among the newest days of the provider: the days of an account are closed in their order. */
async function findDay(bus: Askable, { provider, currency, day }: WantedDay): Promise<StatementDay> {
  const { days } = await callRpc(bus, listStatementDays, { provider, limit: 200 });
  const known = days.find((each) => each.currency === currency && each.day === day);
  if (!known) throw new NotFoundError('statement day');
  return known;
}

type StatementDayResource = ReturnType<typeof presentStatementDay>;

/** What the approver answers for: what was booked on the day, and what is missing at its end. */
type Seen = Pick<StatementDayResource, 'opening_cents' | 'lines_cents' | 'closing_cents' | 'provider_balance_cents'>;

function seenOf({ opening_cents, lines_cents, closing_cents, provider_balance_cents }: Seen): Seen {
  return { opening_cents, lines_cents, closing_cents, provider_balance_cents };
}

/**
 * Closed once, with the figures that the approver saw: the reconciler answers a day that is closed as it is, also to an attempt
 * after one that ended before its answer.
 */
export function closingRules(bus: Bus): ApprovalRules {
  const apply = async ({ request, before, target, proposedBy, approvedBy }: Approval) => {
    const wanted = request as unknown as WantedDay;
    const known = await findDay(bus, wanted);
    if (known.state !== 'CLOSED')
      requireUnchanged(seenOf(presentStatementDay(known)), before && seenOf(before as Seen));
    const asked = { ...wanted, operator: approvedBy === null ? proposedBy : `${proposedBy}, ${approvedBy}` };
    const after = presentStatementDay(
      (await callRpc(bus, closeStatementDay, asked, { timeoutMs: closingTimeoutMs })).day,
    );
    return async (tx: Tx, act: OperatorAct) => {
      recordAudit(tx, act, { action: 'statement-day.close', target, before: before ?? null, after });
      return { outcome: after };
    };
  };
  return { apply };
}
