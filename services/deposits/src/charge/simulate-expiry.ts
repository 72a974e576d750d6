import type { simulateExpiry as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ChargeDependencies } from '#src/charge/dependencies.ts';
import { lockDeposit } from '#src/deposit/find-deposit.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';
import { expire } from '#src/charge/expire-due-deposits.ts';

/** Lets the time of a test deposit be up (api.md 2). */
export async function simulateExpiry(
  { database, now }: ChargeDependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return await database.transaction(async (tx) => {
    const deposit = await lockDeposit(tx, request);
    if (deposit.state === 'EXPIRED') return { deposit: toDeposit(deposit) };
    return { deposit: await expire(tx, deposit, now()) };
  });
}
