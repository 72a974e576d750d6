import type { SqlMigration } from '@gateway/persistence';
import { createWebhooks } from '#src/migrations/0001-webhooks.ts';
import { connectorFormat } from '#src/migrations/0002-connector-format.ts';
import { headersAndRate } from '#src/migrations/0003-headers-and-rate.ts';
import { oncePerEvent } from '#src/migrations/0004-once-per-event.ts';
import { endpointQueue } from '#src/migrations/0005-endpoint-queue.ts';
import { deliveriesByRecord } from '#src/migrations/0006-deliveries-by-record.ts';
import { receivesSince } from '#src/migrations/0007-receives-since.ts';
import { eventLog } from '#src/migrations/0008-event-log.ts';
import { replays } from '#src/migrations/0009-replays.ts';
import { totals } from '#src/migrations/0010-totals.ts';
import { totalsRead } from '#src/migrations/0011-totals-read.ts';
import { turns } from '#src/migrations/0012-turns.ts';
import { providerTotals } from '#src/migrations/0013-provider-totals.ts';
import { notedAmounts } from '#src/migrations/0014-noted-amounts.ts';

export const migrations: readonly SqlMigration[] = [
  createWebhooks,
  connectorFormat,
  headersAndRate,
  oncePerEvent,
  endpointQueue,
  deliveriesByRecord,
  receivesSince,
  eventLog,
  replays,
  totals,
  totalsRead,
  turns,
  providerTotals,
  notedAmounts,
];
