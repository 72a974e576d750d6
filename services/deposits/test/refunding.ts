import type { Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import type { PaymentProvider, RefundOutcome, RefundState } from '@gateway/providers';
import { asked } from '@gateway/providers/testing';
import { metricsText } from '@gateway/runtime';
import type { Dependencies } from '#src/dependencies.ts';
import { createRefund } from '#src/refund/create-refund.ts';
import { listRefunds } from '#src/refund/read-refunds.ts';
import type { Stage } from './stage.ts';

const environment = 'test' as const;

/** What is refunded of a deposit, in minor units. */
export const refundedAmount = 5_000;

export const doneState = asked({ status: 'DONE' as const, providerRef: 'P1', returnId: 'D1' });
export const failedState = asked({
  status: 'FAILED' as const,
  providerRef: 'P1',
  code: 'account_closed' as const,
  message: 'AC07',
});
export const accountClosed: RefundOutcome = { kind: 'refused', code: 'account_closed', message: 'AC07', raw: null };

interface Answers {
  /** Left out, every call is refused for good. */
  readonly call?: (calls: number) => Promise<RefundOutcome> | RefundOutcome;
  /** Left out, no return is found. */
  readonly question?: () => RefundState;
}

/** A provider that answers each call and each question about a refund as the test says, and counts them. */
export function refundingBank(stage: Stage, { call, question }: Answers = {}, id = 'wired') {
  const calls: string[] = [];
  const questions: { ref: string; at: Date }[] = [];
  const provider: Partial<PaymentProvider> = {
    id,
    refund: async ({ ref }) => {
      const number = calls.push(ref);
      return call ? await call(number) : accountClosed;
    },
    getRefund: async ({ ref }) => {
      questions.push({ ref, at: stage.dependencies.now() });
      return question?.() ?? { status: 'NOT_FOUND' };
    },
  };
  return { id, calls, questions, dependencies: stage.onTheWire(provider) };
}

export function refunding(dependencies: Dependencies, { accountId, id: depositId }: Deposit, amount = refundedAmount) {
  const wanted = { environment, accountId, depositId, externalId: newId('request'), amount, reason: null };
  return createRefund(dependencies, wanted, { timeoutMs: 10_000 });
}

/** The newest refund of a deposit. */
export async function refundOf(stage: Stage, { accountId, id: depositId }: Deposit) {
  const { refunds } = await listRefunds(stage.dependencies, { environment, accountId, depositId, limit: 10 });
  return refunds[0]!;
}

/** How often operators were paged because a provider contradicted what is on record of such a return. */
export async function contradictionsOf(record: 'refund' | 'orphan_receipt'): Promise<number> {
  const line = `gateway_provider_contradictions_total{environment="${environment}",record="${record}"} `;
  const found = (await metricsText()).text.split('\n').find((each) => each.startsWith(line));
  return Number(found?.slice(line.length));
}
