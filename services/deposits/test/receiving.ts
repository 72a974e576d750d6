import { expect } from 'vitest';
import type { Deposit } from '@gateway/contracts/deposits';
import type { NotificationGrade, PaymentProvider } from '@gateway/providers';
import type { Dependencies } from '#src/dependencies.ts';
import { getDeposit } from '#src/deposit/read-deposits.ts';
import { Bank } from './bank.ts';
import { account, request, type Stage } from './stage.ts';

const environment = 'test' as const;
let banks = 0;

export interface Pending {
  readonly bank: Bank;
  readonly dependencies: Dependencies;
  readonly deposit: Deposit;
  readonly ref: string;
}

/** A deposit that is not paid, at a provider of its own. */
export async function pending(
  stage: Stage,
  grade: NotificationGrade,
  { id = `bank${++banks}`, rest }: { readonly id?: string; readonly rest?: Partial<PaymentProvider> } = {},
): Promise<Pending> {
  const bank = new Bank(id);
  const dependencies = stage.onTheWire(bank.wired(grade, rest));
  const { deposit } = await stage.create(request(account()), dependencies);
  return { bank, dependencies, deposit, ref: deposit.id.slice(4) };
}

/** A round of everything that is due. */
export async function round({ feeds }: Dependencies): Promise<void> {
  await feeds.readDue();
  while (await feeds.takeDue());
}

/** Lets time pass in steps, with a round at each. */
export async function pass(stage: Stage, dependencies: Dependencies, seconds: number, stepSec = 30): Promise<void> {
  for (let passed = 0; passed < seconds; passed += stepSec) {
    stage.passSeconds(stepSec);
    await round(dependencies);
  }
}

export async function current(stage: Stage, { accountId, id }: Deposit): Promise<Deposit> {
  return (await getDeposit(stage.dependencies, { environment, accountId, id })).deposit;
}

export async function orphansOf(stage: Stage, { id }: Deposit): Promise<{ cause: string; amount: number }[]> {
  return await stage.dependencies.database.query(
    'select cause, amount from orphan_receipt where deposit_id = $1 order by amount',
    [id],
  );
}

export async function disputesOf(stage: Stage, { id }: Deposit) {
  return await stage.dependencies.database.query<{ state: string; amount: number; round: number }>(
    'select state, amount, round from dispute where deposit_id = $1 order by round',
    [id],
  );
}

/** What waits in the inbox for a provider, with its state. */
export async function itemsOf(stage: Stage, { id }: Bank) {
  return await stage.dependencies.database.query<{ feed: string; state: string; cause: string | null }>(
    `select feed, state, cause from item_inbox where provider = $1 and state <> 'TAKEN' order by key`,
    [id],
  );
}

export function expectBalance(stage: Stage, { accountId }: Deposit, available: number, blocked = 0): void {
  expect(stage.ledger.books.balanceOf(accountId)).toEqual({ available, pending: 0, blocked });
}
