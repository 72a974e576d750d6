import type { z } from 'zod';
import { getBalance } from '@gateway/contracts/ledger';
import type { ApiVersion } from '@gateway/contracts/values';
import { callRpc, type Askable } from '@gateway/messaging';
import { type balanceQuerySchema, presenters, secondOf } from '@gateway/public-api';
import type { Answer } from '#src/http/endpoint.ts';
import type { Owner } from '#src/statements/entry-details.ts';

interface BalanceCall {
  readonly query: z.infer<typeof balanceQuerySchema>;
  readonly apiVersion: ApiVersion;
}

/** The balances of an account, or with `at` the available balances as they stood then. */
export async function answerBalance({ query, apiVersion }: BalanceCall, owner: Owner, bus: Askable): Promise<Answer> {
  const { at, zone, currency } = query;
  const second = at === undefined ? undefined : secondOf(at, zone);
  const { balances } = await callRpc(bus, getBalance, { ...owner, at: second });
  // Contract 0.1 has both of its currencies always: one that is left out would be shown as empty.
  const isAll = currency === undefined || apiVersion === '0.1';
  const wanted = balances.filter((balance) => isAll || balance.currency === currency);
  return { status: 200, body: presenters[apiVersion].balance(wanted, at !== undefined) };
}
