import { newClabe } from '@gateway/pix';
import type { FailureCode } from '#src/failure-codes.ts';
import type { PayoutInput } from '#src/payouts.ts';

/** How a payout of test mode will go, fixed in advance: what the call answers, and how the payout ends. */
export type SandboxPayoutPlan =
  | { readonly answer: 'refused'; readonly code: FailureCode }
  | {
      readonly answer: 'accepted' | 'unknown';
      readonly settlement:
        | { readonly settleAfterMs: number; readonly result: 'paid' }
        | { readonly settleAfterMs: number; readonly result: 'failed'; readonly code: FailureCode }
        /** Stays PROCESSING until the merchant simulates its settlement. */
        | 'hold';
    };

const settleAfterMs = 300;
const settleAfterTimeoutMs = 2_000;

/** Keys of type e-mail that stand for an outcome, so that a merchant can test every one. All others are paid. */
export const sandboxKeys = {
  refuse: 'refuse@sandbox.test',
  fail: 'fail@sandbox.test',
  timeout: 'timeout@sandbox.test',
  hold: 'hold@sandbox.test',
  owner: 'owner@sandbox.test',
  /** Waits for an operator first. */
  approve: 'approve@sandbox.test',
} as const;

/** The same for SPEI: accounts at bank 000, which does not exist. */
export const sandboxClabes = {
  refuse: unpayableAccount('1'),
  fail: unpayableAccount('2'),
  timeout: unpayableAccount('3'),
  hold: unpayableAccount('4'),
  owner: unpayableAccount('5'),
  approve: unpayableAccount('6'),
} as const satisfies Record<keyof typeof sandboxKeys, string>;

function unpayableAccount(account: string): string {
  return newClabe({ bankCode: '000', cityCode: '000', account: account.padStart(11, '0') });
}

/** Depends on the payout alone: asked again after a restart, it answers the same. */
export function sandboxPayoutPlan(payout: Pick<PayoutInput, 'destination' | 'verifyOwner'>): SandboxPayoutPlan {
  const paid = { answer: 'accepted', settlement: { settleAfterMs, result: 'paid' } } as const;
  const { type, value } = payout.destination;
  if (type !== 'email' && type !== 'clabe') return paid;
  switch (value) {
    case sandboxKeys.refuse:
      return { answer: 'refused', code: 'key_not_found' };
    case sandboxClabes.refuse:
      return { answer: 'refused', code: 'invalid_account' };
    case sandboxKeys.owner:
    case sandboxClabes.owner:
      return payout.verifyOwner ? { answer: 'refused', code: 'owner_mismatch' } : paid;
    case sandboxKeys.fail:
    case sandboxClabes.fail:
      return { answer: 'accepted', settlement: { settleAfterMs, result: 'failed', code: 'invalid_account' } };
    case sandboxKeys.timeout:
    case sandboxClabes.timeout:
      return { answer: 'unknown', settlement: { settleAfterMs: settleAfterTimeoutMs, result: 'paid' } };
    case sandboxKeys.hold:
    case sandboxClabes.hold:
      return { answer: 'accepted', settlement: 'hold' };
    default:
      return paid;
  }
}
