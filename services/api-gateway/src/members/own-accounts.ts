import { z } from 'zod';
import type { Session } from '@gateway/contracts/identity';
import type { TimedBus } from '@gateway/messaging';
import type { Database } from '@gateway/persistence';
import { AccountEntity, freezesOf, toFreeze } from '#src/accounts/account.ts';
import type { Call, Endpoint } from '#src/http/endpoint.ts';

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
  description: 'Each with the roles of the person, the environments they are for, and what an operator has stopped.',
  answers: { 200: z.object({ data: z.array(z.unknown()) }) },
  handle: async ({ session: { memberships } }, { database }) => {
    const ids = memberships.map(({ accountId }) => accountId);
    const accounts = await database.reader().find(AccountEntity, { id: { $in: ids } });
    const data = memberships.flatMap(({ accountId, roles, environments }) => {
      const account = accounts.find(({ id }) => id === accountId);
      if (!account) return [];
      const freezes = freezesOf(account);
      const frozen = Object.fromEntries(environments.map((each) => [each, toFreeze(freezes[each])]));
      return [{ id: accountId, name: account.name, roles, environments, frozen }];
    });
    return { status: 200, body: { data } };
  },
};

/** What a person asks before they choose an account. */
export const ownAccountEndpoints = [ownAccounts];
