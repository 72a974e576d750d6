import { z } from 'zod';
import type { Caller } from '@gateway/contracts/accounts';
import { movIdOf } from '@gateway/contracts/connector';
import { DomainError } from '@gateway/contracts/errors';
import type { RequestOf } from '@gateway/contracts/messages';
import { createConnectorPayout, type PayoutStatus } from '@gateway/contracts/payouts';
import { optionalEmailSchema, requestText } from '@gateway/contracts/values';
import { currencies, decimalNumber, type DecimalNumber } from '@gateway/money';
import { callRpc, createOrAbandonPayout } from '@gateway/messaging';
import { inferPixKey } from '@gateway/pix';
import type { Facade } from '#src/facade.ts';
import {
  connectorAmountSchema,
  connectorExternalIdSchema,
  optionalDocumentSchema,
  optionalNameSchema,
  optionalPhoneSchema,
} from '#src/payment/connector-fields.ts';
import { requireReais } from '#src/payment/require-reais.ts';

/** Clients give up after 5 s; a slower provider is answered as PROCESSING before (api.md 4). */
const answerWithinMs = 4_000;
/** Part of that time for sending the answer. */
const answerMarginMs = 200;
/** Part of that time for asking about a payout whose creation was not answered. */
const abandonTimeoutMs = 500;

/** The connector names no key type: it is read from the key. */
const inferredKeySchema = requestText(3, 255).transform((text, context) => {
  const key = inferPixKey(text);
  if (key.ok) return key;
  context.addIssue({ code: 'custom', message: 'is not a valid PIX key' });
  return z.NEVER;
});

/** Body of pix-key (spec 4.1, connector.md 1); members it does not know are ignored. */
export const payPixKeySchema = z.object(
  {
    externalId: connectorExternalIdSchema,
    pixKey: inferredKeySchema,
    payment: z.object({ amount: connectorAmountSchema }, 'is required and must be an object'),
    receiverName: optionalNameSchema,
    receiverDocument: optionalDocumentSchema,
    receiverEmail: optionalEmailSchema,
    receiverPhone: optionalPhoneSchema,
  },
  'the body must be a JSON object',
);
export type PayPixKeyRequest = z.infer<typeof payPixKeySchema>;

const statuses = {
  PENDING: 'PENDING',
  PROCESSING: 'PROCESSING',
  PAID: 'CONFIRMED',
  FAILED: 'FAILED',
  REJECTED: 'FAILED',
} as const satisfies Record<PayoutStatus, string>;

export interface ConnectorPayout {
  readonly paymentId: string;
  readonly movId: string;
  readonly externalId: string;
  readonly status: (typeof statuses)[PayoutStatus];
  readonly value: DecimalNumber;
  readonly pixKey: string;
  readonly receiverName: string | null;
  readonly receiverDocument: string | null;
}

type PayoutFacts = Pick<RequestOf<typeof createConnectorPayout>, 'externalId' | 'amount' | 'key' | 'recipient'>;

/**
 * Sends a payout and answers its record within 4 s of the request; one whose provider has not answered by then is
 * PROCESSING, and its webhook reports the end.
 *
 * @param receivedAtMs when the request came in, on the clock of `performance.now()`
 * @throws DomainError INSUFFICIENT_FUNDS and other refusals, which leave no record; CURRENCY_NOT_SUPPORTED for the
 *   `externalId` of a record in another currency; PROVIDER_TIMEOUT when it is not known whether one was made
 */
export async function payPixKey(
  { bus }: Facade,
  caller: Caller,
  request: PayPixKeyRequest,
  receivedAtMs: number,
): Promise<ConnectorPayout> {
  const asked = payoutRequestOf(caller, request);
  const timeoutMs = Math.floor(receivedAtMs + answerWithinMs - answerMarginMs - abandonTimeoutMs - performance.now());
  if (timeoutMs <= 0) throw new DomainError('SERVICE_UNAVAILABLE', 'no time is left to send it', { retryAfterSec: 1 });
  try {
    const key = { environment: caller.environment, accountId: caller.account.id, externalId: asked.externalId };
    const create = () => callRpc(bus, createConnectorPayout, asked, { timeoutMs });
    const { payout } = await createOrAbandonPayout(
      bus,
      { key, create },
      { abandonTimeoutMs, referenceName: 'externalId' },
    );
    requireReais(payout);
    return present(payout.id, payout.status, payout);
  } catch (error) {
    // Only the call that made the record gets this error, so the record has what this call asked for.
    const payoutId = error instanceof DomainError && error.code === 'PROVIDER_TIMEOUT' ? error.extra['payout_id'] : '';
    if (payoutId) return present(payoutId, 'PROCESSING', asked);
    throw error;
  }
}

function payoutRequestOf({ publicKey }: Caller, request: PayPixKeyRequest) {
  const { type, value } = request.pixKey;
  return {
    publicKey,
    externalId: request.externalId,
    currency: 'BRL' as const,
    paymentMethod: 'PIX' as const,
    amount: request.payment.amount,
    key: value,
    keyType: type,
    recipient: recipientOf(request),
    kind: 'PLAYER_PAYOUT' as const,
    enforceOwnership: false,
    metadata: {},
  };
}

/**
 * Whom the record names when the client does not say: a key that is a document names its holder, otherwise name and
 * document stay empty. PIX needs the key alone, and nothing is made up.
 */
function recipientOf({ pixKey, receiverName, receiverDocument, receiverEmail, receiverPhone }: PayPixKeyRequest) {
  const document = pixKey.type === 'cpf' || pixKey.type === 'cnpj' ? pixKey.value : '';
  return {
    name: receiverName ?? '',
    document: receiverDocument ?? document,
    email: receiverEmail,
    phone: receiverPhone,
  };
}

function present(id: string, status: PayoutStatus, { externalId, amount, key, recipient }: PayoutFacts) {
  return {
    paymentId: id,
    movId: movIdOf(id),
    externalId,
    status: statuses[status],
    value: decimalNumber(BigInt(amount), currencies.BRL),
    pixKey: key,
    receiverName: recipient.name || null,
    receiverDocument: recipient.document || null,
  };
}
