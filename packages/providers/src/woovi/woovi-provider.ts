import type { ConnectedProvider, ProviderCapabilities, Surroundings } from '#src/payment-provider.ts';
import { balance } from '#src/woovi/balance.ts';
import { cancelCharge, createCharge, getCharge, minExpirySec } from '#src/woovi/charges.ts';
import type { WooviConfig } from '#src/woovi/config.ts';
import { WooviConnection } from '#src/woovi/connection.ts';
import { submitEvidence } from '#src/woovi/disputes.ts';
import { listChanges } from '#src/woovi/list-changes.ts';
import { wooviVerifier } from '#src/woovi/notifications.ts';
import { createPayout, getPayout } from '#src/woovi/payouts.ts';
import { getRefund, refund } from '#src/woovi/refunds.ts';
import { registerNotifications } from '#src/woovi/register-notifications.ts';

const correlationIdMaxCharacters = 255;

const capabilities: ProviderCapabilities = {
  rails: ['PIX'],
  charge: true,
  cancelCharge: true,
  payout: true,
  ownerCheck: true,
  refund: 'partial',
  disputes: true,
  evidence: 'documents',
  balance: true,
  notificationGrade: 'ours',
  consistentLookup: true,
  limits: {
    minExpirySec,
    minAmount: 1,
    chargeRefMaxCharacters: correlationIdMaxCharacters,
    payoutRefMaxCharacters: correlationIdMaxCharacters,
  },
};

/** Woovi (OpenPix): no certificates, amounts in cents, notifications signed with Woovi's own key. */
export function wooviProvider(config: WooviConfig, surroundings: Surroundings): ConnectedProvider {
  const { now } = surroundings;
  const connection = new WooviConnection(config, surroundings);
  const verify = wooviVerifier({ providerId: config.id, publicKey: config.publicKey, now });
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
    verifyAndParseNotification: async (notification) => verify(notification),
    balance: (options) => balance(connection, options),
    submitEvidence: (evidence, options) => submitEvidence(connection, evidence, options),
    listChanges: (from, to, options) => listChanges(connection, { from, to }, options),
    registerNotifications: (url, options) => registerNotifications(connection, url, options),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}
