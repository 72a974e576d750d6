import { expect } from 'vitest';
import { newId } from '@gateway/money';
import { eventually } from '@gateway/test-kit';
import type { DescribedClient } from './described-client.ts';

type Call = ReturnType<DescribedClient['as']>;

interface Operators {
  readonly ana: Call;
  readonly bruno: Call;
}

interface Records {
  /** Of one that is refused. */
  readonly refundId: string;
  /** Of one that is paid. */
  readonly depositId: string;
}

const outcomeOf = (outcome: string) => ({ outcome, evidence: 'statement, line 17' });

/** States what became of a refund that failed and went out all the same, and enters a dispute that came by letter. */
export async function everyDisputeOperation(
  { ana, bruno }: Operators,
  { refundId, depositId }: Records,
): Promise<void> {
  await eventually(async () => {
    expect((await ana(`POST /ops/refunds/${refundId}/resolve`, outcomeOf('done'))).status).toBe(202);
  });
  await ana('GET /ops/disputes?attention=true');
  const letter = { environment: 'test', amount_cents: 500, opened_at: new Date().toISOString(), evidence: 'a letter' };
  const contested = { ...letter, deposit_id: depositId, dispute_ref: newId('request') };
  const { approval } = (await ana('POST /ops/disputes', contested)).body;
  const { outcome } = (await bruno(`POST /ops/approvals/${approval.id}/approve`)).body.approval;
  expect((await ana(`POST /ops/disputes/${outcome.id}/resolve`, outcomeOf('won'))).status).toBe(202);
}
