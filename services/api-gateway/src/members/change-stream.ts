import type { MerchantPermission } from '@gateway/contracts/identity';
import { answerStream } from '#src/http/stream-answer.ts';
import { memberEndpoint } from '#src/members/member-endpoint.ts';

/** The events that only some of those who read records may know of, by what their names begin with. */
const permissionsOfEvents: readonly (readonly [prefix: string, MerchantPermission])[] = [
  ['export.', 'exports:create'],
  ['webhook.', 'webhooks:read'],
];

export const changeStreamEndpoints = [
  memberEndpoint({
    method: 'GET',
    path: '/stream',
    operation: 'streamChanges',
    permission: 'records:read',
    summary: 'Follow what changes in the account, without any of it',
    description:
      'Server-sent events `changed` with `{ event, count }`, at most once a second, for the account and the environment of the ' +
      'request. It has nothing of a record: what changed is read again. It keeps no session alive, and ends within a second of ' +
      'it, or of the part in the account. A person has three streams at most.',
    answers: { 200: null },
    handle: async ({ member }, { changeStreams }) => {
      const { person, accountId, environment } = member;
      const stream = changeStreams.open({
        reader: person.id,
        account: { accountId, environment },
        shows: (event) => {
          const [, permission] = permissionsOfEvents.find(([prefix]) => event.startsWith(prefix)) ?? [];
          return permission === undefined || member.may(permission);
        },
        mayRead: member.hasPart,
      });
      return answerStream(stream);
    },
  }),
];
