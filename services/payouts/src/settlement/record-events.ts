import type { EventTable } from '@gateway/persistence';
import { reasonsOfPeople } from '#src/payout/failure-reasons.ts';

const byPeople = `failure_reason in (${reasonsOfPeople.map((reason) => `'${reason}'`).join(', ')})`;
/** A creation that came to nothing was never visible. */
const hasFailed = `state in ('FAILED', 'REJECTED') and failure_reason is distinct from 'creation_abandoned'`;

/** What merchants are informed of, by what the row of a payout says has happened. */
export const payoutEvents: EventTable = {
  table: 'payout',
  events: [
    { event: 'payout.pending', when: `state = 'PENDING'`, at: 'created_at' },
    { event: 'payout.processing', when: 'processing_at is not null', at: 'processing_at' },
    { event: 'payout.paid', when: `state = 'PAID'`, at: 'coalesce(paid_at, sent_at, created_at)' },
    { event: 'payout.failed', when: `${hasFailed} and ${byPeople} is not true`, at: 'created_at' },
    { event: 'payout.canceled', when: `${hasFailed} and ${byPeople}`, at: 'created_at' },
    { event: 'payout.returned', when: 'returned > 0', at: 'coalesce(paid_at, sent_at, created_at)' },
  ],
};
