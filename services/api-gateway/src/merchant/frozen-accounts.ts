import type { FastifyRequest } from 'fastify';
import { type Caller, isFrozenFor, type MerchantEffect, requireNotFrozen } from '@gateway/contracts/accounts';
import { counter } from '@gateway/runtime';

/**
 * Operations that write, and by which no money leaves the balance: they go on while an account's payouts are frozen.
 * Whatever writes and is not listed counts as money that leaves, so that a new operation is stopped rather than forgotten.
 * Refunds and conversions are not here: both take money out of the balance, to a payer or to another currency.
 */
export const writesWithoutMoneyOut: readonly string[] = [
  'POST /v1/deposits',
  'POST /v1/deposits/:id/cancel',
  'POST /v1/payouts/:id/cancel',
  'POST /v1/quotes',
  'POST /v1/exports',
  'POST /v1/disputes/:id/evidence',
  'POST /v1/files',
  'POST /v1/webhooks',
  'PATCH /v1/webhooks/:id',
  'DELETE /v1/webhooks/:id',
  'POST /v1/webhooks/:id/rotate-secret',
  'POST /v1/webhooks/:id/test',
  'POST /v1/webhooks/:id/recover',
  'POST /v1/webhooks/:id/replay',
  'POST /v1/events/:id/deliver',
  'POST /v1/webhooks/:id/deliveries/:deliveryId/redeliver',
  'POST /v1/deliveries/:id/redeliver',
  'POST /v1/account/callback-secret',
  'PUT /v1/account/branding',
  'PUT /v1/ip-allowlist',
  'POST /v1/test/deposits/:id/pay',
  'POST /v1/test/deposits/:id/expire',
  'POST /v1/test/deposits/:id/dispute',
  'POST /v1/test/disputes/:id/resolve',
  'POST /v1/test/balance/release',
  'POST /v1/test/payouts/:id/settle',
  'POST /v1/test/webhooks/:id/fail',
  // Of the merchants' console.
  'PUT /v1/keys/:publicKey/ip-allowlist',
  'DELETE /v1/keys/:publicKey',
  'POST /approvals/:id/refuse',
  'POST /approvals/:id/withdraw',
  'POST /team/invitations',
  'POST /team/invitations/:id/confirm',
  'POST /team/invitations/:id/revoke',
  'PATCH /team/:id',
  'DELETE /team/:id',
  'POST /team/:id/end-sessions',
  'POST /team/:id/reset',
];
const withoutMoneyOut: ReadonlySet<string> = new Set(writesWithoutMoneyOut);

const refused = counter('gateway_frozen_calls_refused_total', 'Calls of frozen accounts that were refused', ['level']);
refused.add(0, { level: 'payouts' });
refused.add(0, { level: 'writes' });

/** What an operation of the merchant API does, by its method and route. */
function effectOf(method: string, route: string): MerchantEffect {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return withoutMoneyOut.has(`${method} ${route}`) ? 'write' : 'money_out';
}

/** @throws DomainError ACCOUNT_FROZEN for what the freeze of the caller's account stops */
export function refuseWhenFrozen({ frozen }: Caller, { method, routeOptions }: FastifyRequest): void {
  if (!frozen) return;
  const effect = effectOf(method, routeOptions.url ?? '');
  if (isFrozenFor(frozen, effect)) refused.add(1, { level: frozen.level });
  requireNotFrozen(frozen, effect);
}
