import type { ConnectedProvider, ProviderCapabilities, ProviderEnvironment } from '#src/payment-provider.ts';
import { balance } from '#src/woovi/balance.ts';
import { cancelCharge, createCharge, getCharge, minExpirySec } from '#src/woovi/charges.ts';
import type { WooviConfig } from '#src/woovi/config.ts';
import { WooviConnection } from '#src/woovi/connection.ts';
import { getDisputes, submitEvidence } from '#src/woovi/disputes.ts';
import { disputesFeed, paymentsFeed, payoutsFeed } from '#src/woovi/feeds.ts';
import { verifyWooviNotification } from '#src/woovi/notifications.ts';
import { createPayout, getPayout, getPayoutReturns } from '#src/woovi/payouts.ts';
import { publicKeysOf } from '#src/woovi/public-keys.ts';
import { getRefund, refund } from '#src/woovi/refunds.ts';
import { readRegistration, registerNotifications } from '#src/woovi/register-notifications.ts';
import { statementFeed } from '#src/woovi/statement.ts';

const correlationIdMaxCharacters = 255;

const fixedCapabilities: Omit<ProviderCapabilities, 'ownerCheck' | 'notificationGrade'> = {
  rails: ['PIX'],
  charge: true,
  cancelCharge: true,
  payout: true,
  refund: 'partial',
  disputes: true,
  evidence: 'documents',
  balance: true,
  statement: 'account',
  receivesPayments: true,
  consistentLookup: true,
  limits: {
    minExpirySec,
    minAmount: 1,
    chargeRefMaxCharacters: correlationIdMaxCharacters,
    payoutRefMaxCharacters: correlationIdMaxCharacters,
  },
};

/** Woovi (OpenPix): no certificates, amounts in cents, notifications signed for all customers and for our webhooks. */
export function wooviProvider(config: WooviConfig, environment: ProviderEnvironment): ConnectedProvider {
  const connection = new WooviConnection(config, environment);
  const { id: providerId, webhookSecrets, ownerCheck } = config;
  const verifying = { providerId, webhookSecrets, publicKeys: publicKeysOf(connection, config.publicKeys) };
  const feeds = [paymentsFeed(connection), disputesFeed(connection), payoutsFeed(connection)];
  const notificationGrade = webhookSecrets.length > 0 ? 'ours' : 'platform';
  return {
    id: config.id,
    capabilities: { ...fixedCapabilities, ownerCheck, notificationGrade },
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
    verifyAndParseNotification: (notification) => verifyWooviNotification(verifying, notification),
    balance: (options) => balance(connection, options),
    submitEvidence: (evidence, options) => submitEvidence(connection, evidence, options),
    getPayoutReturns: (lookup, options) => getPayoutReturns(connection, lookup, options),
    getDisputes: (lookup, options) => getDisputes(connection, lookup, options),
    feeds,
    statement: statementFeed(connection),
    registerNotifications: (url, options) => registerNotifications(connection, url, options),
    readRegistration: (url, options) => readRegistration(connection, url, options),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
