import { z } from 'zod';
import { idBoundsSchema } from '#src/ledger/money-record.ts';
import { defineRpc } from '#src/messages/define.ts';
import { environmentSchema } from '#src/values/environment.ts';
import { recordEventSchema } from '#src/webhooks/outcome-rpc.ts';

/** The services whose records have public events, and the lists they keep them in. */
const eventLists = {
  deposits: ['deposit', 'refund', 'dispute'],
  payouts: ['payout'],
  ledger: ['conversion'],
  'api-gateway': ['export'],
} as const;
type EventService = keyof typeof eventLists;

/** A record is found by its account and id. */
const placeSchema = z.object({ accountId: z.string(), id: z.string() });
export type RecordEventPlace = z.infer<typeof placeSchema>;

export const eventRecordsMax = 500;

function listRecordEventsOf<S extends EventService>(service: S) {
  const lists: readonly string[] = eventLists[service];
  return defineRpc({
    subject: `rpc.${service}.list-record-events.v1`,
    owner: service,
    callers: ['reconciler'],
    request: z.object({
      environment: environmentSchema,
      list: z.enum(lists as (typeof eventLists)[S]),
      /** The last record that the caller has; null for the beginning. */
      after: placeSchema.nullable(),
      /** Records of a page. */
      limit: z.int().min(1).max(eventRecordsMax),
      ids: idBoundsSchema.optional(),
    }),
    /**
     * What the rows of records say has happened to them, as far as they say it, and when it had happened at the earliest.
     * Without `next` there are no more records.
     */
    reply: z.object({ events: z.array(recordEventSchema), next: placeSchema.nullable() }),
  });
}

export const listDepositRecordEvents = listRecordEventsOf('deposits');
export const listPayoutRecordEvents = listRecordEventsOf('payouts');
export const listLedgerRecordEvents = listRecordEventsOf('ledger');
export const listGatewayRecordEvents = listRecordEventsOf('api-gateway');
