import { listPayouts } from '@gateway/contracts/payouts';
import type { Environment } from '@gateway/contracts/values';
import { type Askable, callRpc } from '@gateway/messaging';

/** Who was paid first within these days is new, as is who was never paid. */
const newForDays = 30;
const daySec = 86_400;

interface PaidByAccount {
  readonly accountId: string;
  readonly environment: Environment;
  readonly recipientDocument: string;
}

/** Whether the account has paid the recipient before the last 30 days: who approves a payout looks at the others first. */
export async function wasPaidBefore(
  bus: Askable,
  payout: PaidByAccount,
  now: Date,
  timing: { readonly timeoutMs?: number } = {},
): Promise<boolean> {
  const to = Math.floor(now.getTime() / 1_000) - newForDays * daySec;
  const filter = { ...payout, status: 'PAID', to, limit: 1 } as const;
  const { payouts } = await callRpc(bus, listPayouts, filter, timing);
  return payouts.length > 0;
}
