import type { OperatorPermission } from '@gateway/contracts/identity';
import { attentionRpc, type AttentionKind, serviceNames, type Waiting } from '@gateway/contracts/messages';
import { unixSeconds } from '@gateway/contracts/values';
import { callRpc } from '@gateway/messaging';
import { type AttentionResource, overviewAnswerSchema, overviewQuerySchema } from '@gateway/public-api';
import { askSources } from '#src/operator/ask-sources.ts';
import { operatorEndpoint } from '#src/operator/operator-endpoint.ts';
import { readRunning } from '#src/operator/running.ts';

/** What a service does not answer within this time is left out, and the service is named. */
const sourceTimeout = { timeoutMs: 800 };
const daySec = 86_400;

export const overviewEndpoints = [
  operatorEndpoint({
    method: 'GET',
    path: '/ops/overview',
    operation: 'getOverview',
    permission: 'records:read',
    summary: 'What needs an operator now, of all kinds, and how the gateway is',
    description:
      'Counts what waits for a person in all services, with the age of the oldest and the list that has them. A kind that ' +
      'nothing waits of is left out. Beside that: what was paid of late, the providers, how far messages are behind, and who ' +
      'writes the balances.',
    query: overviewQuerySchema,
    answers: { 200: overviewAnswerSchema },
    handle: async ({ query: { environment }, grantOf }, { bus }) => {
      const at = new Date();
      const now = unixSeconds(at);
      const may = (permission: OperatorPermission) => grantOf(permission) !== null;
      const [waiting, running] = await Promise.all([
        askSources(
          serviceNames.map((name) => ({
            name,
            read: async () => (await callRpc(bus, attentionRpc(name), {}, sourceTimeout)).waiting,
          })),
        ),
        readRunning(bus, { environment, may, at }),
      ]);
      const wanted = waiting.found.filter(
        (each) => environment === undefined || (each.environment ?? environment) === environment,
      );
      const attention = together(wanted)
        .sort((one, other) => one.oldestAt - other.oldestAt)
        .map((each) => presented(each, now));
      const incomplete = [...new Set([...waiting.incomplete, ...running.incomplete])].sort();
      return { status: 200, body: { attention, ...running.parts, incomplete, as_of: now } };
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

interface List {
  readonly path: string;
  /** Whether it takes an environment. */
  readonly ofEnvironment?: true;
  /** What is asked for besides, where that depends on the time. */
  readonly query?: (now: number) => string;
}

/** Where the records of a kind are listed, by what makes them wait. */
const lists: Record<AttentionKind, List> = {
  payout_stuck: { path: '/ops/payouts?attention=true', ofEnvironment: true },
  payout_approval: { path: '/ops/payouts?status=PENDING', ofEnvironment: true },
  refund_stuck: { path: '/ops/refunds?attention=true', ofEnvironment: true },
  orphan_receipt_stuck: { path: '/ops/orphan-receipts?attention=true', ofEnvironment: true },
  dispute_stuck: { path: '/ops/disputes?attention=true', ofEnvironment: true },
  dispute_due: {
    path: '/ops/disputes?status=OPEN',
    ofEnvironment: true,
    query: (now) => `&due_before=${now + daySec}`,
  },
  provider_difference: { path: '/ops/providers' },
  unread_item: { path: '/ops/unread-items' },
  exception: { path: '/ops/exceptions?status=OPEN' },
  approval: { path: '/ops/approvals?state=PROPOSED' },
  dead_letter: { path: '/ops/dead-letters?status=WAITING' },
};

function presented({ kind, environment, count, oldestAt }: Waiting, now: number): AttentionResource {
  const { path, ofEnvironment, query } = lists[kind];
  const narrowed = ofEnvironment && environment !== null ? `&environment=${environment}` : '';
  return { kind, environment, count, oldest_at: oldestAt, list: `${path}${query?.(now) ?? ''}${narrowed}` };
}
