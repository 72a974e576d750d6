import { z } from 'zod';
import type { Session } from '@gateway/contracts/identity';
import type { TimedBus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { AccountEntity, freezesOf, toFreeze } from '#src/accounts/account.ts';
import { type Approval, ApprovalEntity } from '#src/approvals/approval.ts';
import type { Call, Endpoint } from '#src/http/endpoint.ts';
import { type RecoveryRequest, recoveryWaitMs } from '#src/proposals/recover-member.ts';

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
    'operators propose to reset.',
  answers: { 200: z.object({ data: z.array(z.unknown()) }) },
  handle: async ({ session: { memberships } }, { database }) => {
    const ids = memberships.map(({ accountId }) => accountId);
    const accounts = await database.reader().find(AccountEntity, { id: { $in: ids } });
    const recoveries = await openRecoveries(database);
    const data = memberships.flatMap(({ accountId, roles, environments }) => {
      const account = accounts.find(({ id }) => id === accountId);
      if (!account) return [];
      const freezes = freezesOf(account);
      const frozen = Object.fromEntries(environments.map((each) => [each, toFreeze(freezes[each])]));
      const own = recoveries.filter((each) => notified(each).includes(accountId)).map(presentRecovery);
      return [{ id: accountId, name: account.name, roles, environments, frozen, recoveries: own }];
    });
    return { status: 200, body: { data } };
  },
};

/** All who belong to an account are notified before a sign-in of it can be reset: who is still there can object. */
async function openRecoveries(database: Database): Promise<readonly Approval[]> {
  const where = { kind: 'account.recover-person' as const, state: { $in: ['PROPOSED', 'APPLYING'] as const } };
  return await database.reader().find(ApprovalEntity, { ...where, expiresAt: { $gt: new Date() } });
}

function notified({ request }: Approval): readonly string[] {
  return (request as unknown as RecoveryRequest).account_ids;
}

function presentRecovery({ id, request, createdAt }: Approval) {
  const from = Math.floor((createdAt.getTime() + recoveryWaitMs) / 1_000);
  return { id, name: (request as unknown as RecoveryRequest).name, from };
}

/** What a person asks before they choose an account. */
export const ownAccountEndpoints = [ownAccounts];
