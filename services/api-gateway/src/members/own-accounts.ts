import { z } from 'zod';
import type { Session } from '@gateway/contracts/identity';
import type { TimedBus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { AccountEntity, freezesOf, toFreeze } from '#src/accounts/account.ts';
import { type Approval, ApprovalEntity } from '#src/approvals/approval.ts';
import type { Call, Endpoint } from '#src/http/endpoint.ts';
import { recoverableFrom, recoveryNoticeMs, requestOf } from '#src/proposals/recover-member.ts';

interface OwnCall extends Call {
  readonly session: Session;
}

interface OwnServices {
  readonly bus: TimedBus;
  readonly database: Database;
}

const ownAccounts: Endpoint<OwnCall, OwnServices> = {
  method: 'GET',
  path: '/accounts',
  operation: 'listOwnAccounts',
  summary: 'The accounts of the person who is signed in',
  description:
    'Each with the roles of the person, the environments they are for, what an operator has stopped, and whose sign-in ' +
    'operators propose to reset, or have reset within seven days.',
  answers: { 200: z.object({ data: z.array(z.unknown()) }) },
  handle: async ({ session: { memberships } }, { database }) => {
    const ids = memberships.map(({ accountId }) => accountId);
    const accounts = await database.reader().find(AccountEntity, { id: { $in: ids } });
    const recoveries = await notifiedRecoveries(database);
    const data = memberships.flatMap(({ accountId, roles, environments }) => {
      const account = accounts.find(({ id }) => id === accountId);
      if (!account) return [];
      const freezes = freezesOf(account);
      const frozen = Object.fromEntries(environments.map((each) => [each, toFreeze(freezes[each])]));
      const own = recoveries.filter((each) => requestOf(each).account_ids.includes(accountId)).map(presentRecovery);
      return [{ id: accountId, name: account.name, roles, environments, frozen, recoveries: own }];
    });
    return { status: 200, body: { data } };
  },
};

/**
 * All who belong to an account are notified before a sign-in of it can be reset, so that who is still there can object, and
 * for days after it was.
 */
async function notifiedRecoveries(database: Database): Promise<readonly Approval[]> {
  const kind = 'account.recover-person' as const;
  const isOpen = { state: { $in: ['PROPOSED', 'APPLYING'] as const }, expiresAt: { $gt: new Date() } };
  const isRecent = { state: 'APPLIED' as const, decidedAt: { $gt: new Date(Date.now() - recoveryNoticeMs) } };
  return await database.reader().find(ApprovalEntity, { kind, $or: [isOpen, isRecent] });
}

function presentRecovery(approval: Approval) {
  const { id, state, decidedAt } = approval;
  const at = state === 'APPLIED' && decidedAt ? Math.floor(decidedAt.getTime() / 1_000) : null;
  return { id, name: requestOf(approval).name, from: recoverableFrom(approval), reset_at: at };
}

/** What a person asks before they choose an account. */
export const ownAccountEndpoints = [ownAccounts];
