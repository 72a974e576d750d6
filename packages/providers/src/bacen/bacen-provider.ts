import { cancelCharge, createCharge, getCharge } from '#src/bacen/charges.ts';
import type { BacenConfig } from '#src/bacen/config.ts';
import { BacenConnection, standardDialect } from '#src/bacen/connection.ts';
import { getDisputes } from '#src/bacen/disputes.ts';
import { paymentsFeed, returnsFeed } from '#src/bacen/feeds.ts';
import { verifyAndParse } from '#src/bacen/notifications.ts';
import { getRefund, refund } from '#src/bacen/refunds.ts';
import { readRegistration, registerNotifications } from '#src/bacen/register-notifications.ts';
import { certificateEnd } from '#src/http/client-certificate.ts';
import type { NotSent } from '#src/outcomes.ts';
import type { ConnectedProvider, ProviderCapabilities, ProviderEnvironment } from '#src/payment-provider.ts';
import { statementFeed } from '#src/bacen/statement.ts';

const txidMaxCharacters = 35;

const capabilities: ProviderCapabilities = {
  rails: ['PIX'],
  charge: true,
  cancelCharge: true,
  payout: false,
  ownerCheck: false,
  refund: 'partial',
  disputes: false,
  evidence: 'none',
  balance: false,
  statement: 'settled',
  receivesPayments: true,
  notificationGrade: 'hint',
  consistentLookup: true,
  limits: { minExpirySec: 1, minAmount: 1, chargeRefMaxCharacters: txidMaxCharacters, payoutRefMaxCharacters: 35 },
};

const noPayouts: NotSent = { kind: 'not_sent', reason: 'unsupported', cause: 'the Pix API has no payouts' };

/**
 * A provider that speaks the Pix API of the Banco Central (2.9.0) and nothing else: charges, refunds, and notifications
 * that are hints. The standard has no payouts and no balance, and of a dispute it reports only that money was taken back.
 */
export function bacenProvider(config: BacenConfig, environment: ProviderEnvironment): ConnectedProvider {
  const connection = new BacenConnection({ config, dialect: standardDialect, ...environment });
  const feeds = [paymentsFeed(connection), returnsFeed(connection)];
  return {
    id: config.id,
    capabilities,
    certificateEndsAt: certificateEnd(config.tls),
    get circuit() {
      return connection.circuit;
    },
    createCharge: (charge, options) => createCharge(connection, charge, options),
    getCharge: (lookup, options) => getCharge(connection, lookup, options),
    cancelCharge: (lookup, options) => cancelCharge(connection, lookup, options),
    createPayout: async () => noPayouts,
    getPayout: async () => ({ status: 'NOT_FOUND' }),
    refund: (input, options) => refund(connection, input, options),
    getRefund: (lookup, options) => getRefund(connection, lookup, options),
    verifyAndParseNotification: async (notification) =>
      verifyAndParse({ providerId: config.id, proof: config.notifications }, notification),
    balance: async () => ({ ok: false, cause: 'the Pix API has no balance' }),
    getDisputes: (lookup, options) => getDisputes(connection, lookup, options),
    feeds,
    statement: statementFeed(connection),
    registerNotifications: (url, options) =>
      registerNotifications(connection, { url, keys: [config.receivingKey] }, options),
    readRegistration: (url, options) =>
      readRegistration(connection, { url, keys: [{ name: 'receiving key', key: config.receivingKey }] }, options),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
