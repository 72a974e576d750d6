import type { Deposit } from '@gateway/contracts/deposits';
import type { ReplyOf, RequestOf } from '@gateway/contracts/messages';
import type { ApiVersion } from '@gateway/contracts/values';
import type { testWebhook as contract } from '@gateway/contracts/webhooks';
import { newId } from '@gateway/money';
import { encodeStaticBrCode } from '@gateway/pix';
import { presenters } from '@gateway/public-api/presenters';
import type { Database } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import { openRegistration } from '#src/endpoints/connector-registration.ts';
import { openHeaders } from '#src/endpoints/custom-headers.ts';
import { findEndpoint, type Endpoint } from '#src/endpoints/endpoint.ts';
import { secretsInForce } from '#src/endpoints/signing-secrets.ts';
import { encoders } from '#src/fanout/encoders.ts';
import type { Sender } from '#src/http/sender.ts';

export interface TestWebhookDeps {
  readonly database: Database;
  readonly secretBox: SecretBox;
  readonly sender: Sender;
}

/**
 * Sends a sample `deposit.paid` now, with the same checks and signatures as any delivery, and answers the result of the
 * call. It has every member that a real one may have. Its `data.id` starts with `dep_test`, so that it cannot be taken
 * for a payment.
 *
 * @throws NotFoundError
 */
export async function testWebhook(
  { database, secretBox, sender }: TestWebhookDeps,
  request: RequestOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const endpoint = await findEndpoint(database.reader(), request);
  const now = new Date();
  const eventId = newId('event');
  const { delivered, response, latencyMs, error } = await sender.send({
    url: endpoint.url,
    ...secretsInForce(endpoint, secretBox, now),
    eventId,
    deliveryId: newId('delivery'),
    attempt: 1,
    customHeaders: openHeaders(endpoint.sealedHeaders, endpoint.id, secretBox),
    body: sampleBody(endpoint, { eventId, now }, secretBox),
  });
  return { delivered, responseStatus: response?.status ?? null, latencyMs: Math.round(latencyMs), error };
}

function sampleBody(
  endpoint: Endpoint,
  { eventId, now }: { readonly eventId: string; readonly now: Date },
  secretBox: SecretBox,
): Buffer {
  const deposit = sampleDeposit(endpoint, now);
  const event = {
    id: eventId,
    name: 'deposit.paid',
    environment: endpoint.environment,
    accountId: endpoint.accountId,
    dataId: deposit.id,
    createdAt: deposit.createdAt,
    present: (version: ApiVersion) => presenters[version].deposit(deposit),
  } as const;
  const body = encoders[endpoint.format].encode(event, {
    id: endpoint.id,
    apiVersion: endpoint.apiVersion,
    connector: openRegistration(endpoint.connector, endpoint.id, secretBox),
  });
  if (!body) throw new Error(`format ${endpoint.format} has no body for ${event.name}`);
  return body;
}

/** A bank that does not exist, and a document that belongs to no one in its masked form. */
const samplePayer = { name: 'PAGADOR DE TESTE', document: '***.982.247-**', bank: 'BANCO SANDBOX', ispb: '99999999' };
const sampleAmount = 1_000;
const sampleFee = 10;

function sampleDeposit({ environment, accountId, apiVersion }: Endpoint, now: Date): Deposit {
  const createdAt = Math.floor(now.getTime() / 1_000);
  return {
    id: newId('deposit').replace('dep_', 'dep_test_'),
    environment,
    accountId,
    externalId: 'webhook-test',
    status: 'PAID',
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: sampleAmount,
    asked: null,
    fee: sampleFee,
    net: sampleAmount - sampleFee,
    refunded: 0,
    emv: encodeStaticBrCode({
      key: 'teste@loja.example',
      merchantName: 'LOJA DE TESTE',
      merchantCity: 'SAO PAULO',
      amountCents: sampleAmount,
    }),
    redirectUrl: 'https://gateway.example/deposits/dep_test',
    clabe: null,
    beneficiary: null,
    received: sampleAmount,
    qrUrl: 'https://gateway.example/deposits/dep_test/qr.png',
    payer: {
      name: 'Pagador de Teste',
      email: 'pagador@loja.example',
      phone: '+5511999999999',
      document: '52998224725',
    },
    payerDetails: samplePayer,
    e2eId: `E${samplePayer.ispb}${now.toISOString().replace(/\D/g, '').slice(0, 12)}webhooktest`,
    callbackUrl: null,
    returnUrl: 'https://loja.example/pedidos/webhook-test',
    description: 'Pedido de teste',
    metadata: {},
    apiVersion,
    createdAt,
    expiresAt: createdAt + 86_400,
    paidAt: now.toISOString(),
  };
}
