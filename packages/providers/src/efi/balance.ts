import type { BacenConnection } from '#src/bacen/connection.ts';
import { balanceSchema } from '#src/efi/wire.ts';
import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type { ProviderBalanceResult } from '#src/payment-provider.ts';

/** `GET /v2/gn/saldo`: what can be spent, and what courts and MED hold. */
export async function balance(connection: BacenConnection, options?: CallOptions): Promise<ProviderBalanceResult> {
  const path = '/v2/gn/saldo?bloqueios=true';
  const found = lookedUp(await connection.call({ method: 'GET', path, schema: balanceSchema }, options));
  if (found.status === 'NOT_FOUND') return { ok: false, cause: 'the provider answered 404' };
  if (found.status === 'UNAVAILABLE') return { ok: false, cause: found.cause };
  const { saldo: available, bloqueios } = found.value;
  return { ok: true, balances: [{ currency: 'BRL', available, blocked: bloqueios.total }] };
}
