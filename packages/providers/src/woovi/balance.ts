import type { CallOptions } from '#src/outcomes.ts';
import type { ProviderBalanceResult } from '#src/payment-provider.ts';
import { wooviLookedUp, type WooviConnection } from '#src/woovi/connection.ts';
import { accountListSchema, accountReplySchema } from '#src/woovi/wire.ts';

/** `GET /api/v1/account/{accountId}`, or the default one of the list. */
export async function balance(connection: WooviConnection, options?: CallOptions): Promise<ProviderBalanceResult> {
  const found = await findAccount(connection, options);
  if (found.status === 'UNAVAILABLE') return { ok: false, cause: found.cause };
  if (found.status === 'NOT_FOUND') return { ok: false, cause: 'the account is not found' };
  const { available, blocked } = found.value.balance;
  return { ok: true, balances: [{ currency: 'BRL', available, blocked }] };
}

async function findAccount(connection: WooviConnection, options: CallOptions | undefined) {
  const { accountId } = connection.config;
  if (accountId !== undefined) {
    const call = { method: 'GET', path: `/api/v1/account/${accountId}`, schema: accountReplySchema } as const;
    const one = wooviLookedUp(await connection.call(call, options));
    return one.status === 'FOUND' ? ({ status: 'FOUND', value: one.value.account } as const) : one;
  }
  const call = { method: 'GET', path: '/api/v1/account/', schema: accountListSchema } as const;
  const list = wooviLookedUp(await connection.call(call, options));
  if (list.status !== 'FOUND') return list;
  const value = list.value.accounts.find(({ isDefault }) => isDefault) ?? list.value.accounts[0];
  return value ? ({ status: 'FOUND', value } as const) : ({ status: 'NOT_FOUND' } as const);
}
