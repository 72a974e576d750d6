import { cancelCharge, createCharge, getCharge } from '#src/bacen/charges.ts';
import { BacenConnection, type BacenDialect } from '#src/bacen/connection.ts';
import { paymentsFeed, returnsFeed } from '#src/bacen/feeds.ts';
import { verifyAndParse } from '#src/bacen/notifications.ts';
import { getRefund, refund } from '#src/bacen/refunds.ts';
import { readRegistration, registerNotifications } from '#src/bacen/register-notifications.ts';
import { balance } from '#src/efi/balance.ts';
import type { EfiConfig } from '#src/efi/config.ts';
import { getDisputes, submitEvidence } from '#src/efi/disputes.ts';
import { disputesFeed, payoutsFeed } from '#src/efi/feeds.ts';
import { readPayoutNotice } from '#src/efi/payout-events.ts';
import { createPayout, getPayout, getPayoutReturns } from '#src/efi/payouts.ts';
import { certificateEnd } from '#src/http/client-certificate.ts';
import type { ConnectedProvider, ProviderCapabilities, ProviderEnvironment } from '#src/payment-provider.ts';
import { statementFeed } from '#src/efi/statement.ts';

const dialect: BacenDialect = { apiPath: '/v2', tokenRequest: 'json' };

const capabilities: ProviderCapabilities = {
  rails: ['PIX'],
  charge: true,
  cancelCharge: true,
  payout: true,
  ownerCheck: true,
  refund: 'partial',
  disputes: true,
  evidence: 'text',
  balance: true,
  statement: 'account',
  receivesPayments: true,
  notificationGrade: 'hint',
  consistentLookup: true,
  limits: { minExpirySec: 1, minAmount: 1, chargeRefMaxCharacters: 35, payoutRefMaxCharacters: 35 },
};

/** Efí: the Pix API of the Banco Central, with payouts by key, a balance and MED of its own. */
export function efiProvider(config: EfiConfig, environment: ProviderEnvironment): ConnectedProvider {
  const connection = new BacenConnection({ config, dialect, ...environment });
  const { id, payingKey, receivingKey, notifications: proof } = config;
  const readItem = (item: unknown, receivedAt: Date) => readPayoutNotice(id, { item, receivedAt });
  const feeds = [paymentsFeed(connection), returnsFeed(connection), disputesFeed(connection), payoutsFeed(connection)];
  return {
    id,
    capabilities,
    certificateEndsAt: certificateEnd(config.tls),
    get circuit() {
      return connection.circuit;
    },
    createCharge: (charge, options) => createCharge(connection, charge, options),
    getCharge: (lookup, options) => getCharge(connection, lookup, options),
    cancelCharge: (lookup, options) => cancelCharge(connection, lookup, options),
    createPayout: (payout, options) => createPayout(connection, { payout, payingKey }, options),
    getPayout: (lookup, options) => getPayout(connection, lookup, options),
    refund: (input, options) => refund(connection, input, options),
    getRefund: (lookup, options) => getRefund(connection, lookup, options),
    verifyAndParseNotification: async (notification) =>
      verifyAndParse({ providerId: id, proof, readItem }, notification),
    balance: (options) => balance(connection, options),
    submitEvidence: (evidence, options) => submitEvidence(connection, evidence, options),
    getPayoutReturns: (lookup, options) => getPayoutReturns(connection, lookup, options),
    getDisputes: (lookup, options) => getDisputes(connection, lookup, options),
    feeds,
    statement: statementFeed(connection),
    registerNotifications: (url, options) =>
      registerNotifications(connection, { url, keys: [...new Set([receivingKey, payingKey])] }, options),
    readRegistration: (url, options) =>
      readRegistration(
        connection,
        {
          url,
          keys: [
            { name: 'receiving key', key: receivingKey },
            { name: 'paying key', key: payingKey },
          ],
        },
        options,
      ),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
