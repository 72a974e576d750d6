import { z } from 'zod';
import type { Caller } from '@gateway/contracts/accounts';
import { movIdOf } from '@gateway/contracts/connector';
import { createConnectorDeposit } from '@gateway/contracts/deposits';
import { optionalEmailSchema } from '@gateway/contracts/values';
import { currencies, decimalNumber, type DecimalNumber } from '@gateway/money';
import { callRpc } from '@gateway/messaging';
import type { Facade } from '#src/facade.ts';
import {
  connectorAmountSchema,
  connectorExternalIdSchema,
  optionalDocumentSchema,
  optionalNameSchema,
  optionalPhoneSchema,
} from '#src/payment/connector-fields.ts';
import { requireReais } from '#src/payment/require-reais.ts';

const expirationSecDefault = 86_400;
const expirationSecMax = 2_592_000;
const expirationRule = `must be a whole number of seconds from 0 to ${expirationSecMax}`;

const fieldsSchema = z.object(
  {
    value: connectorAmountSchema,
    /** Seconds; real clients send 0, or nothing, for a day. */
    expiration: z
      .int(expirationRule)
      .nullish()
      .transform((seconds) => (seconds === 0 ? expirationSecDefault : (seconds ?? expirationSecDefault)))
      .pipe(z.int().min(1, expirationRule).max(expirationSecMax, expirationRule)),
    externalId: connectorExternalIdSchema,
    payerName: optionalNameSchema,
    payerDocument: optionalDocumentSchema,
    payerEmail: optionalEmailSchema,
    payerPhone: optionalPhoneSchema,
  },
  'the body must be a JSON object',
);

/** Names older clients use for the same members. */
const aliases = {
  payerName: 'buyerName',
  payerDocument: 'buyerCpf',
  payerEmail: 'buyerEmail',
  payerPhone: 'buyerPhone',
} as const;

/** Body of generate-pix (spec 4.1, connector.md 1); members it does not know are ignored. */
export const generatePixSchema = z.preprocess(readAliases, fieldsSchema);
export type GeneratePixRequest = z.infer<typeof fieldsSchema>;

export interface GeneratedPix {
  /** Copy-and-paste code. */
  readonly pix: string | null;
  readonly value: DecimalNumber;
  readonly clientId: string;
  readonly paymentId: string;
  readonly movId: string;
}

/**
 * Creates a charge; a repeated `externalId` is answered with the first one's ids.
 *
 * @throws DomainError CURRENCY_NOT_SUPPORTED for the `externalId` of a record in another currency
 */
export async function generatePix(
  { bus, rpcTimeoutMs }: Facade,
  caller: Caller,
  request: GeneratePixRequest,
): Promise<GeneratedPix> {
  const { deposit } = await callRpc(
    bus,
    createConnectorDeposit,
    {
      publicKey: caller.publicKey,
      externalId: request.externalId,
      currency: 'BRL',
      paymentMethod: 'PIX',
      amount: request.value,
      payer: payerOf(request),
      expiresInSec: request.expiration,
      callbackUrl: null,
      metadata: {},
    },
    { timeoutMs: rpcTimeoutMs },
  );
  requireReais(deposit);
  return {
    pix: deposit.emv,
    value: decimalNumber(BigInt(deposit.amount), currencies.BRL),
    clientId: caller.publicKey,
    paymentId: deposit.id,
    movId: movIdOf(deposit.id),
  };
}

function readAliases(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const given = body as Readonly<Record<string, unknown>>;
  const read = Object.entries(aliases).map(([name, alias]) => [name, given[name] ?? given[alias]]);
  return { ...given, ...(Object.fromEntries(read) as object) };
}

function payerOf({ payerName, payerDocument, payerEmail, payerPhone }: GeneratePixRequest) {
  const payer = { name: payerName, document: payerDocument, email: payerEmail, phone: payerPhone };
  return Object.values(payer).every((member) => member === null) ? null : payer;
}
