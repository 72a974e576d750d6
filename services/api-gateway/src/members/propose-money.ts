import { getDeposit } from '@gateway/contracts/deposits';
import { DomainError, ValidationError } from '@gateway/contracts/errors';
import { listPayouts, type Payout } from '@gateway/contracts/payouts';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Database, Tx } from '@gateway/persistence';
import {
  type FormedBody,
  type payoutRequests,
  presenters,
  readPayoutOf,
  type refundRequests,
} from '@gateway/public-api';
import { AccountEntity } from '#src/accounts/account.ts';
import { type Approval, ApprovalEntity, type TeamKind } from '#src/approvals/approval.ts';
import { proposeApproval } from '#src/approvals/propose-approval.ts';
import { digestOfRequest } from '#src/approvals/request-digest.ts';
import type { Answer } from '#src/http/endpoint.ts';
import { actOf, type MemberCall, type MemberRow, type MemberServices } from '#src/members/member-endpoint.ts';
import { presentTeamApproval } from '#src/members/present-team-approval.ts';
import { idIn, ownerOf, type MerchantEndpointRow } from '#src/merchant/merchant-endpoint.ts';
import { type PayoutsRequest, proposedPayoutOf, type RefundRequest } from '#src/proposals/team-request.ts';

type Handle = MemberRow['handle'];
type PayoutCall = MemberCall & { readonly body: FormedBody<typeof payoutRequests> };
type RefundCall = MemberCall & { readonly body: FormedBody<typeof refundRequests> };

/** What takes money out of the balance, as people ask for it: by the name of the operation with a key. */
export const moneyOperations: Readonly<Record<string, (row: MerchantEndpointRow) => Handle>> = {
  createPayout: (row) => async (call: PayoutCall, services: MemberServices) => {
    const request = readPayoutOf(call.body, call.caller, call.apiVersion);
    const made = await payoutOf(services.bus, call, request.externalId);
    if (made) return { status: 200, body: { payout: presenters[call.apiVersion].payout(made, call.language) } };
    if (!(await takesSecond(services.database, call, request))) return await row.handle(call as never, services);
    return await propose(call, services, { payouts: [proposedPayoutOf(request)] });
  },
  createRefund: (row) => async (call: RefundCall, services: MemberServices) => {
    const { amount_cents: wanted, external_id, reason } = call.body.value;
    const asked = { ...ownerOf(call), id: idIn(call, 'deposit') };
    const { deposit } = await callRpc(services.bus, getDeposit, asked);
    // What is proposed is one amount, also when something else goes back before it is approved.
    const amount = wanted ?? deposit.amount - deposit.refunded;
    if (deposit.status !== 'PAID' && deposit.status !== 'REFUNDED') {
      throw new DomainError('INVALID_STATE', `the deposit is ${deposit.status}`);
    }
    if (amount === 0 || amount > deposit.amount - deposit.refunded) {
      throw new DomainError('REFUND_EXCEEDS_AMOUNT', 'the amount is more than what is left of the deposit');
    }
    const { currency } = deposit;
    if (!(await takesSecond(services.database, call, { amount, currency }))) {
      return await row.handle(call as never, services);
    }
    const members = { deposit_id: deposit.id, external_id, currency, amount };
    return await propose(call, services, { ...members, reason: reason ?? null });
  },
};

/**
 * The payout that has the reference already: by a key, or by an earlier proposal. A repeated call is answered with it, as
 * with a key.
 */
export async function payoutOf(bus: Askable, call: MemberCall, externalId: string): Promise<Payout | undefined> {
  const { payouts } = await callRpc(bus, listPayouts, { ...ownerOf(call), externalId, limit: 1 });
  return payouts[0];
}

/** Whether an amount is above what one person of the account sends alone; in any other currency than BRL it always is. */
async function takesSecond(
  database: Database,
  { member }: MemberCall,
  { amount, currency }: { readonly amount: number; readonly currency: string },
): Promise<boolean> {
  const account = await database.reader().findOneOrFail(AccountEntity, { id: member.accountId });
  const over = account.teamApprovalOver ?? null;
  return over !== null && (currency !== 'BRL' || amount > over);
}

/**
 * Holds what was asked for until another person of the account decides it: nothing is debited, and nothing is created. The
 * same call again is answered with the proposal that waits.
 *
 * @throws DomainError INVALID_STATE when one of the references is in another proposal that is open
 */
export async function propose(
  call: MemberCall,
  { database, bus }: Pick<MemberServices, 'database' | 'bus'>,
  request: PayoutsRequest | RefundRequest,
  reason: string | null = null,
): Promise<Answer> {
  const { accountId, environment } = call.member;
  const kind: TeamKind = 'payouts' in request ? 'team.payouts' : 'team.refund';
  const target = 'payouts' in request ? accountId : request.deposit_id;
  const act = actOf(call, bus, true);
  const approval = await database.transaction(async (tx) => {
    await tx.sql('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `team proposals ${accountId} ${environment}`,
    ]);
    const open = await openProposalOf(tx, call, request);
    if (open) return requireSame(open, request);
    return proposeApproval(tx, act, { kind, environment, accountId, target, request, before: null, reason });
  });
  return { status: 202, body: { approval: presentTeamApproval(approval, call.member) } };
}

/** One that is open and names one of the references: a double click is one proposal. */
async function openProposalOf(tx: Tx, { member }: MemberCall, request: PayoutsRequest | RefundRequest) {
  const { accountId, environment } = member;
  const isPayouts = 'payouts' in request;
  const references = isPayouts ? request.payouts.map(({ external_id }) => external_id) : [request.external_id];
  const named = isPayouts
    ? `exists (select from jsonb_array_elements(request -> 'payouts') payout where payout ->> 'external_id' = any ($4))`
    : `request ->> 'external_id' = any ($4)`;
  const [row] = await tx.sql<{ readonly id: string }>(
    `select id from approval where account_id = $1 and environment = $2 and kind = $3
       and state in ('PROPOSED', 'APPLYING') and ${named} order by id desc limit 1`,
    [accountId, environment, isPayouts ? 'team.payouts' : 'team.refund', references],
  );
  return row && (await tx.em.findOneOrFail(ApprovalEntity, { id: row.id }));
}

function requireSame(open: Approval, request: object): Approval {
  if (open.requestDigest === digestOfRequest(request)) return open;
  throw new DomainError('INVALID_STATE', `external_id is in another proposal that waits, ${open.id}`);
}

/** @throws ValidationError for a reference that comes twice in one batch */
export function requireDistinct(references: readonly string[]): void {
  const repeated = references.findIndex((each, index) => references.indexOf(each) !== index);
  if (repeated === -1) return;
  throw new ValidationError([
    { path: `payouts.${repeated}.external_id`, message: 'is that of another of these payouts' },
  ]);
}
