import { lookedUp } from '#src/http/classify.ts';
import type { CallOptions } from '#src/outcomes.ts';
import type {
  ConnectedProvider,
  ProviderBalanceResult,
  ProviderCapabilities,
  RegistrationResult,
  ProviderEnvironment,
} from '#src/payment-provider.ts';
import { cancelCharge, createCharge, getCharge } from '#src/spei/charges.ts';
import type { SpeiConfig } from '#src/spei/config.ts';
import { SpeiConnection } from '#src/spei/connection.ts';
import { payoutsFeed, paymentsFeed } from '#src/spei/feeds.ts';
import { verifySpeiNotification } from '#src/spei/notifications.ts';
import { createPayout, getPayout, getPayoutReturns } from '#src/spei/payouts.ts';
import { getRefund, refund } from '#src/spei/refunds.ts';
import { balanceSchema } from '#src/spei/wire.ts';

const referenceMaxCharacters = 64;

const capabilities: ProviderCapabilities = {
  rails: ['SPEI'],
  charge: true,
  cancelCharge: true,
  payout: true,
  ownerCheck: true,
  refund: 'partial',
  disputes: false,
  evidence: 'none',
  balance: true,
  receivesPayments: true,
  notificationGrade: 'ours',
  consistentLookup: true,
  limits: {
    minAmount: 1,
    chargeRefMaxCharacters: referenceMaxCharacters,
    payoutRefMaxCharacters: referenceMaxCharacters,
  },
};

/** MXN by SPEI: an account number per charge, the amount typed by the payer, notifications signed with a shared secret. */
export function speiProvider(config: SpeiConfig, environment: ProviderEnvironment): ConnectedProvider {
  const connection = new SpeiConnection(config, environment);
  const feeds = [paymentsFeed(connection), payoutsFeed(connection)];
  return {
    id: config.id,
    capabilities,
    get circuit() {
      return connection.circuit;
    },
    createCharge: (charge, options) => createCharge(connection, charge, options),
    getCharge: (lookup, options) => getCharge(connection, lookup, options),
    cancelCharge: (lookup, options) => cancelCharge(connection, lookup, options),
    createPayout: (payout, options) => createPayout(connection, payout, options),
    getPayout: (lookup, options) => getPayout(connection, lookup, options),
    refund: (input, options) => refund(connection, input, options),
    getRefund: (lookup, options) => getRefund(connection, lookup, options),
    verifyAndParseNotification: async (notification) => verifySpeiNotification(config, notification),
    balance: (options) => balance(connection, options),
    getPayoutReturns: (lookup, options) => getPayoutReturns(connection, lookup, options),
    feeds,
    registerNotifications: (url, options) => registerNotifications(connection, url, options),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

async function balance(connection: SpeiConnection, options?: CallOptions): Promise<ProviderBalanceResult> {
  const found = lookedUp(await connection.call({ method: 'GET', path: '/balance', schema: balanceSchema }, options));
  if (found.status === 'UNAVAILABLE') return { ok: false, cause: found.cause };
  if (found.status === 'NOT_FOUND') return { ok: false, cause: 'the account is not found' };
  return { ok: true, balances: [{ currency: 'MXN', ...found.value }] };
}

/** `PUT /webhook`: one address per account, the new one takes the place of the old. */
async function registerNotifications(
  connection: SpeiConnection,
  url: URL,
  options?: CallOptions,
): Promise<RegistrationResult> {
  const outcome = await connection.call({ method: 'PUT', path: '/webhook', body: { url: url.href } }, options);
  if (outcome.kind === 'answered') return { ok: true };
  return {
    ok: false,
    cause: outcome.kind === 'rejected' ? `the provider answered ${outcome.status}` : outcome.cause,
  };
}
