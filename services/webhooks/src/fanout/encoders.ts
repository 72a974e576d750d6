import { movIdOf } from '@gateway/contracts/connector';
import type { ApiVersion } from '@gateway/contracts/values';
import type { WebhookEvent } from '@gateway/contracts/webhooks';
import { currencies, decimalNumber, decimalText, type Currency } from '@gateway/money';
import type { DepositResource, PayoutResource } from '@gateway/public-api';
import { maskDocument } from '@gateway/pix';
import type { ConnectorReader } from '#src/endpoints/connector-registration.ts';
import type { EndpointFormat } from '#src/endpoints/endpoint.ts';
import type { PublicEvent } from '#src/fanout/public-events.ts';

const brazilOffsetMs = 3 * 3_600_000;
const noParty = { name: '', document: '' };

/** The properties of an endpoint that its bodies depend on. */
export interface BodyOptions {
  readonly id: string;
  readonly apiVersion: ApiVersion;
  /** Of endpoints in the connector's format. */
  readonly connector?: ConnectorReader | undefined;
}

/** Writes bodies in one format. Pure: the same event and variant always give the same bytes. */
export interface Encoder {
  /** Its bodies repeat a secret of the registration, and are stored sealed. */
  readonly confidential: boolean;
  /** Names the bytes: endpoints with the same variant share one stored body. */
  readonly variantFor: (options: BodyOptions) => string;
  /** The body, or undefined when the format has none for the event. */
  readonly encode: (event: PublicEvent, options: BodyOptions) => Buffer | undefined;
}

/** The event with its id; `data` in the contract version of the endpoint. */
const native: Encoder = {
  confidential: false,
  variantFor: ({ apiVersion }) => `native-${apiVersion}`,
  encode: ({ id, name, createdAt, environment, present }, { apiVersion }) =>
    Buffer.from(JSON.stringify({ id, event: name, created_at: createdAt, environment, data: present(apiVersion) })),
};

/** Status and type of each event that the connector's format has; all others have no body in it. */
const connectorEvents: Partial<Record<WebhookEvent, readonly [status: string, type: 'PixIn' | 'PixOut']>> = {
  'deposit.paid': ['CONFIRMED', 'PixIn'],
  'deposit.expired': ['EXPIRED', 'PixIn'],
  'deposit.canceled': ['FAILED', 'PixIn'],
  'payout.paid': ['CONFIRMED', 'PixOut'],
  'payout.failed': ['FAILED', 'PixOut'],
  'payout.canceled': ['FAILED', 'PixOut'],
};

/** Whether the connector's format has a body for an event. Its amounts name no currency: they are reais. */
export function hasConnectorBody(event: WebhookEvent, currency: Currency | undefined): boolean {
  return connectorEvents[event] !== undefined && currency === 'BRL';
}

/** The connector's body: its seven members, then those that receivers in production read besides (connector.md 2). */
const connector: Encoder = {
  confidential: true,
  // The body repeats the paraphrase of its registration, so that no two endpoints share one.
  variantFor: ({ id }) => `connector-${id}`,
  encode: ({ name, present }, { connector: registration }) => {
    const [status, type] = connectorEvents[name] ?? [];
    if (!status || !type) return undefined;
    if (!registration) throw new Error('an endpoint of the connector has no registration');
    if (!hasConnectorBody(name, (present('1.0') as { readonly currency?: Currency }).currency)) return undefined;
    // Who reads its reasons is Brazilian.
    const record = present('0.1', 'pt') as DepositResource | PayoutResource;
    return Buffer.from(
      JSON.stringify({
        status,
        type,
        externalId: record.external_id,
        paymentId: record.id,
        movId: movIdOf(record.id),
        amount: decimalNumber(BigInt(record.amount_cents), currencies.BRL),
        securityParaphrase: registration.securityParaphrase,
        // Receivers read the amount from this text, always with two decimals.
        value: decimalText(record.amount_cents, currencies.BRL),
        e2e: record.e2e_id ?? null,
        confirmationDate: record.paid_at ? brazilianTime(record.paid_at) : null,
        ...partiesOf(record),
        details: null,
        reasonCancellation: reasonOf(record),
        clientId: registration.clientId,
      }),
    );
  },
};

export const encoders: Readonly<Record<EndpointFormat, Encoder>> = { native, connector };

/** Brasília time, which has had one offset since 2019. */
function brazilianTime(iso: string): string {
  return `${new Date(Date.parse(iso) - brazilOffsetMs).toISOString().slice(0, 19)}-03:00`;
}

/** The other side of the payment; documents are masked. The merchant's own side is empty, as it was. */
function partiesOf(record: DepositResource | PayoutResource) {
  if (record.object === 'payout') return { payer: noParty, receiver: partyOf(record.recipient) };
  return { payer: partyOf(record.payer_details ?? record.payer ?? noParty), receiver: noParty };
}

function partyOf({ name, document }: { readonly name: string | null; readonly document: string | null }) {
  return { name: name ?? '', document: maskDocument(document ?? '') };
}

function reasonOf(record: DepositResource | PayoutResource): string | null {
  return record.object === 'payout' ? (record.failure_message ?? record.failure_reason) : null;
}
