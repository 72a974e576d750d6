import type { FintocConnection } from '#src/fintoc/connection.ts';
import { accountSchema } from '#src/fintoc/wire.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { ProviderBalanceResult } from '#src/payment-provider.ts';

/** `GET /v2/accounts/{id}`. What is under way has left the available balance already; nothing is blocked. */
export async function balance(connection: FintocConnection, options?: CallOptions): Promise<ProviderBalanceResult> {
  const found = await readAccount(connection, options);
  if (found.status === 'UNAVAILABLE') return { ok: false, cause: found.cause };
  if (found.status === 'NOT_FOUND') return { ok: false, cause: 'the account is not found' };
  const { available_balance: available, currency } = found.value;
  if (currency !== 'MXN') return { ok: false, cause: `the account is in ${currency}` };
  return { ok: true, balances: [{ currency: 'MXN', available, blocked: 0 }] };
}

/** A name changes seldom, and one that is not known is asked for again with the next charge after this time. */
const holderKeptMs = 60 * 60_000;

interface Holder {
  readonly name: string | undefined;
  readonly readAt: number;
}

const holders = new WeakMap<FintocConnection, Holder>();

/**
 * Whose account the payer sends to, which is the same for every account number. Read once an hour; a charge does without
 * it when the account cannot be read.
 */
export async function holderName(connection: FintocConnection, options?: CallOptions): Promise<string | undefined> {
  const known = holders.get(connection);
  const now = connection.now().getTime();
  if (known && now - known.readAt < holderKeptMs) return known.name;
  const found = await readAccount(connection, options);
  const name = found.status === 'FOUND' ? (found.value.entity?.holder_name ?? undefined) : known?.name;
  holders.set(connection, { name, readAt: now });
  return name;
}

async function readAccount(connection: FintocConnection, options: CallOptions | undefined) {
  const path = `/v2/accounts/${encodeURIComponent(connection.config.accountId)}`;
  return lookedUp(await connection.call({ method: 'GET', path, schema: accountSchema }, options));
}
