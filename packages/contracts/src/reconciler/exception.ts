import { z } from 'zod';

/**
 * Why a match is not explained:
 * - `line_without_record`: the provider moved money that no record of ours accounts for;
 * - `duplicate_line`: another line has the record that this one names;
 * - `record_without_line`: a record says that money moved, and the provider's statement does not;
 * - `record_without_ledger`: a record says that money moved, and the ledger has not booked it;
 * - `ledger_without_record`: the ledger has booked money that no record accounts for;
 * - `line_without_ledger`: a fee or transfer of the provider that is not booked;
 * - `ledger_without_line`: a fee or transfer is booked that the statement does not have;
 * - `amount_differs`: the sides are there, with different amounts;
 * - `batch_differs`: the parts of a line that settles many do not add up to it;
 * - `refunded_differs`: a deposit says that another amount has gone back by refunds than the ledger has booked;
 * - `clearing_differs`: an account of ours that has to drain holds something else for a record than the record says;
 * - `fee_differs`: record and ledger have different fees;
 * - `adjustment_not_approved`: the ledger has booked an adjustment, or a transfer of our own, that the audit trail does not show to be proposed by one
 *   operator and approved by another;
 * - `event_without_delivery`: an endpoint that should have received an event has no delivery of it.
 */
export const exceptionReasonSchema = z.enum([
  'line_without_record',
  'duplicate_line',
  'record_without_line',
  'record_without_ledger',
  'ledger_without_record',
  'line_without_ledger',
  'ledger_without_line',
  'amount_differs',
  'batch_differs',
  'refunded_differs',
  'clearing_differs',
  'fee_differs',
  'adjustment_not_approved',
  'event_without_delivery',
]);
export type ExceptionReason = z.infer<typeof exceptionReasonSchema>;

/**
 * `OPEN` until an operator proposes what is done (`PROPOSED`) and another approves it (`RESOLVED`). `EXPLAINED`: the
 * missing side came before that, and people had nothing to decide.
 */
export const exceptionStateSchema = z.enum(['OPEN', 'PROPOSED', 'RESOLVED', 'EXPLAINED']);
export type ExceptionState = z.infer<typeof exceptionStateSchema>;
