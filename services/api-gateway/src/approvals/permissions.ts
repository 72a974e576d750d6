import { DomainError } from '@gateway/contracts/errors';
import type { OperatorPermission } from '@gateway/contracts/identity';
import type { AnyKind } from '#src/approvals/approval.ts';
import type { OperatorAct } from '#src/approvals/audit.ts';

interface Needed {
  readonly propose: OperatorPermission;
  readonly decide: OperatorPermission;
}

const money: Needed = { propose: 'money:propose', decide: 'money:decide' };
const people: Needed = { propose: 'people:write', decide: 'people:write' };
const accounts: Needed = { propose: 'accounts:propose', decide: 'accounts:decide' };

/** What it takes to propose a kind of change, and to decide it. A kind without a row does not compile. */
const neededByKind: Readonly<Record<AnyKind, Needed>> = {
  'account.first-owner': accounts,
  'account.recover-person': accounts,
  'account.unfreeze': accounts,
  'account.update': accounts,
  'adjustment.apply': money,
  'checkpoint-key.rotate': money,
  'dead-letter.discard': money,
  'dispute.enter': money,
  'dispute.resolve': money,
  'exception.resolve': money,
  'feed.skip': money,
  'integration.set': accounts,
  'key.allowlist': accounts,
  'key.issue': accounts,
  'ledger.open-incarnation': money,
  'live-conversions.cover': money,
  'live-conversions.switch-on': accounts,
  'own-transfer.declare': money,
  'payout.approve': money,
  'payout.resolve': money,
  'person.invite': people,
  'person.recover': people,
  'person.reinstate': people,
  'person.roles': people,
  'provider.update': money,
  'reconciliation.sign-off': money,
  'refund.resolve': money,
  'statement-day.close': money,
  'service-token.create': people,
  'statement-mapping.approve': money,
  // The permissions of the same names in the account.
  'team.key': { propose: 'accounts:propose', decide: 'money:decide' },
  'team.owner': { propose: 'people:write', decide: 'money:decide' },
  'team.payouts': money,
  'team.refund': money,
  'unread-item.dismiss': money,
};

/** What it takes to propose a kind of change. */
export function neededToPropose(kind: AnyKind): OperatorPermission {
  return neededByKind[kind].propose;
}

/** @throws DomainError PERMISSION_DENIED */
export function requireProposer(act: OperatorAct, kind: AnyKind): void {
  requirePermission(act, neededByKind[kind].propose);
}

/** @throws DomainError PERMISSION_DENIED */
export function requireDecider(act: OperatorAct, kind: AnyKind): void {
  requirePermission(act, neededByKind[kind].decide);
}

/** @throws DomainError PERMISSION_DENIED */
export function requirePermission({ may }: Pick<OperatorAct, 'may'>, ...anyOf: readonly OperatorPermission[]): void {
  if (anyOf.some((permission) => may(permission))) return;
  throw new DomainError('PERMISSION_DENIED', `the operation takes the permission ${anyOf.join(' or ')}`);
}

/**
 * What a person proposes or decides is confirmed by a passkey, for this request alone: a session that was taken over, or a
 * page that was left open, moves nothing.
 *
 * @throws DomainError STEP_UP_REQUIRED
 */
export function requireConfirmed({ person }: Pick<OperatorAct, 'person'>): void {
  if (person && !person.isConfirmed) throw new DomainError('STEP_UP_REQUIRED', 'confirm the operation');
}
