import { attentionRpc, type AttentionKind, serviceNames, type Waiting } from '@gateway/contracts/messages';
import { callRpc } from '@gateway/messaging';
import { type AttentionResource, overviewAnswerSchema, overviewQuerySchema } from '@gateway/public-api';
import { askSources } from '#src/operator/ask-sources.ts';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';

/** What a service does not answer within this time is left out, and the service is named. */
const sourceTimeout = { timeoutMs: 800 };
const daySec = 86_400;

export const overviewEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/overview',
    operation: 'getOverview',
    permission: 'records:read',
    summary: 'What needs an operator now, of all kinds',
    description:
      'Counts what waits for a person in all services, with the age of the oldest and the list that has them. A kind that ' +
      'nothing waits of is left out.',
    query: overviewQuerySchema,
    answers: { 200: overviewAnswerSchema },
    handle: async ({ query: { environment } }, { bus }) => {
      const now = Math.floor(Date.now() / 1_000);
      const sources = serviceNames.map((name) => ({
        name,
        read: async () => (await callRpc(bus, attentionRpc(name), {}, sourceTimeout)).waiting,
      }));
      const { found, incomplete } = await askSources(sources);
      const wanted = found.filter(
        (each) => environment === undefined || (each.environment ?? environment) === environment,
      );
      const attention = together(wanted)
        .sort((one, other) => one.oldestAt - other.oldestAt)
        .map((waiting) => presented(waiting, now));
      return { status: 200, body: { attention, incomplete, as_of: now } };
    },
  }),
];

/** Of one kind and environment, whichever service has it. */
function together(found: readonly Waiting[]): Waiting[] {
  const byKind = new Map<string, Waiting>();
  for (const waiting of found) {
    const key = `${waiting.kind} ${waiting.environment ?? ''}`;
    const known = byKind.get(key);
    byKind.set(key, {
      ...waiting,
      count: waiting.count + (known?.count ?? 0),
      oldestAt: Math.min(waiting.oldestAt, known?.oldestAt ?? waiting.oldestAt),
    });
  }
  return [...byKind.values()];
}

/** Where the records of a kind are listed, by what makes them wait. */
const lists: Record<AttentionKind, (now: number) => string> = {
  payout_stuck: () => '/ops/payouts?attention=true',
  payout_approval: () => '/ops/payouts?status=PENDING',
  refund_stuck: () => '/ops/refunds?attention=true',
  orphan_receipt_stuck: () => '/ops/orphan-receipts?attention=true',
  dispute_stuck: () => '/ops/disputes?attention=true',
  dispute_due: (now) => `/ops/disputes?status=OPEN&due_before=${now + daySec}`,
  provider_difference: () => '/ops/providers',
  unread_item: () => '/ops/unread-items',
  exception: () => '/ops/exceptions?status=OPEN',
  approval: () => '/ops/approvals?state=PROPOSED',
  dead_letter: () => '/ops/dead-letters?status=WAITING',
};
/** Lists that take an environment. */
const ofEnvironment: readonly AttentionKind[] = [
  'payout_stuck',
  'payout_approval',
  'refund_stuck',
  'orphan_receipt_stuck',
  'dispute_stuck',
  'dispute_due',
];

function presented({ kind, environment, count, oldestAt }: Waiting, now: number): AttentionResource {
  const path = lists[kind](now);
  const isNarrowed = environment !== null && ofEnvironment.includes(kind);
  const list = isNarrowed ? `${path}&environment=${environment}` : path;
  return { kind, environment, count, oldest_at: oldestAt, list };
}
