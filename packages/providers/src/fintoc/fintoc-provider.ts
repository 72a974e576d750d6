import { balance } from '#src/fintoc/account.ts';
import { cancelCharge, createCharge, getCharge } from '#src/fintoc/charges.ts';
import type { FintocConfig } from '#src/fintoc/config.ts';
import { FintocConnection } from '#src/fintoc/connection.ts';
import { payoutsFeed, paymentsFeed, returnsFeed } from '#src/fintoc/feeds.ts';
import { verifyFintocNotification } from '#src/fintoc/notifications.ts';
import { createPayout, getPayout, getPayoutReturns } from '#src/fintoc/payouts.ts';
import { getRefund, refund } from '#src/fintoc/refunds.ts';
import { readRegistration, registerNotifications } from '#src/fintoc/webhooks.ts';
import type { ConnectedProvider, ProviderCapabilities, ProviderEnvironment } from '#src/payment-provider.ts';
import { statementFeed } from '#src/fintoc/statement.ts';

/** A key of idempotency may have 255 characters, a value of `metadata` is kept below that. */
const referenceMaxCharacters = 64;

const capabilities: ProviderCapabilities = {
  rails: ['SPEI'],
  charge: true,
  cancelCharge: true,
  payout: true,
  ownerCheck: false,
  refund: 'partial',
  disputes: false,
  evidence: 'none',
  balance: true,
  statement: 'account',
  receivesPayments: true,
  notificationGrade: 'ours',
  // What is sent again under a reference within a day is answered with the first result, whatever the list shows by then.
  consistentLookup: true,
  limits: {
    minAmount: 1,
    chargeRefMaxCharacters: referenceMaxCharacters,
    payoutRefMaxCharacters: referenceMaxCharacters,
  },
};

/** Fintoc: MXN by SPEI, a CLABE for each charge, the amount typed by the payer, notifications signed for our endpoint. */
export function fintocProvider(config: FintocConfig, environment: ProviderEnvironment): ConnectedProvider {
  const connection = new FintocConnection(config, environment);
  const feeds = [paymentsFeed(connection), payoutsFeed(connection), returnsFeed(connection)];
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
    verifyAndParseNotification: async (notification) => verifyFintocNotification(config, notification),
    balance: (options) => balance(connection, options),
    getPayoutReturns: (lookup, options) => getPayoutReturns(connection, lookup, options),
    feeds,
    statement: statementFeed(connection),
    registerNotifications: (url, options) => registerNotifications(connection, url, options),
    readRegistration: (url, options) => readRegistration(connection, url, options),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
