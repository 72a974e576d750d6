import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { listDepositRecordEvents } from '@gateway/contracts/webhooks';
import { readRecordEvents, type Database, type EventTable } from '@gateway/persistence';

type Contract = typeof listDepositRecordEvents;

/** What merchants are informed of, by what the rows say has happened. */
const tables: Readonly<Record<RequestOf<Contract>['list'], EventTable>> = {
  deposit: {
    table: 'deposit',
    events: [
      { event: 'deposit.pending', when: `state <> 'CREATING'`, at: 'created_at' },
      {
        event: 'deposit.partially_paid',
        when: `state = 'PENDING' and received between 1 and amount - 1`,
        at: 'created_at',
      },
      { event: 'deposit.paid', when: `state in ('PAID', 'REFUNDED')`, at: 'paid_at' },
      { event: 'deposit.expired', when: `state = 'EXPIRED'`, at: 'expires_at' },
      { event: 'deposit.canceled', when: `state = 'FAILED'`, at: 'created_at' },
      { event: 'deposit.refunded', when: `state = 'REFUNDED'`, at: 'paid_at' },
    ],
  },
  refund: {
    table: 'refund',
    events: [
      { event: 'refund.done', when: `state = 'DONE'`, at: 'finished_at' },
      { event: 'refund.failed', when: `state = 'FAILED' and released_at is null`, at: 'finished_at' },
    ],
  },
  dispute: {
    table: 'dispute',
    events: [
      { event: 'med.opened', when: `state <> 'OPENING'`, at: 'opened_at' },
      { event: 'med.under_analysis', when: `state = 'UNDER_ANALYSIS'`, at: 'opened_at' },
      { event: 'med.won', when: `state = 'WON'`, at: 'resolved_at' },
      { event: 'med.lost', when: `state = 'LOST'`, at: 'resolved_at' },
    ],
  },
};

/** The events of a page of deposits, refunds or disputes. */
export async function listRecordEvents(
  database: Database,
  { list, ...page }: RequestOf<Contract>,
): Promise<ReplyOf<Contract>> {
  return await readRecordEvents(database, tables[list], page);
}
