import type { getDeposit as contract, ReplyOf, RequestOf } from '@gateway/contracts';
import type { Dependencies } from '#src/dependencies.ts';
import { findDeposit } from '#src/deposit/find-deposit.ts';
import { toDeposit } from '#src/deposit/to-deposit.ts';

export async function getDeposit(
  { database }: Dependencies,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  return { deposit: toDeposit(await findDeposit(database, request)) };
}
