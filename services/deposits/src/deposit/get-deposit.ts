import type { getDeposit as contract } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { DepositDependencies } from '#src/deposit/dependencies.ts';
import { findDeposit } from '#src/deposit/find-deposit.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';

export async function getDeposit(
  { database }: DepositDependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { deposit: toDeposit(await findDeposit(database, request)) };
}
