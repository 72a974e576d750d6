import { operatorStreamQuerySchema } from '@gateway/public-api';
import { answerStream } from '#src/http/stream-answer.ts';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';

export const changeStreamEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/stream',
    operation: 'streamChanges',
    permission: 'records:read',
    summary: 'Follow what changes, without any of it',
    description:
      'Answers with a stream of server-sent events for pages that show a list: `changed`, whose data is `{ event, count }`, ' +
      'the name of an event and how often it happened since the last one, at most once a second. It has nothing of a record, ' +
      'and none is repeated: what changed is read again. A comment is sent every 15 seconds. It keeps no session alive, and ' +
      'ends within a second of it. A person has three streams at most.',
    query: operatorStreamQuerySchema,
    answers: { 200: null },
    handle: async ({ operator, person, isInForce, query }, { changeStreams }) => {
      const { environment, account_id: accountId } = query;
      const stream = changeStreams.open({
        reader: person?.id ?? operator,
        wants: (hint) =>
          (environment ?? hint.environment) === hint.environment && (accountId ?? hint.accountId) === hint.accountId,
        mayRead: isInForce,
      });
      return answerStream(stream);
    },
  }),
];
