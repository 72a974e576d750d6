import {
  decimalNumber,
  movIdOf,
  type Currency,
  type DepositResource,
  type PayoutResource,
  type WebhookEvent,
} from '@gateway/contracts';
import { maskDocument } from '@gateway/pix';
import type { Encoder } from '#src/fanout/encoder.ts';

/** The mapping of spec 6; about everything else the connector's format is silent. */
const told: Partial<Record<WebhookEvent, readonly [status: string, type: 'PixIn' | 'PixOut']>> = {
  'deposit.paid': ['CONFIRMED', 'PixIn'],
  'deposit.expired': ['EXPIRED', 'PixIn'],
  'deposit.canceled': ['FAILED', 'PixIn'],
  'payout.paid': ['CONFIRMED', 'PixOut'],
  'payout.failed': ['FAILED', 'PixOut'],
  'payout.canceled': ['FAILED', 'PixOut'],
};

const brazilOffsetMs = 3 * 3_600_000;
const nobody = { name: '', document: '' };

/** The connector's body (spec 6): its seven members, then the ones real receivers read besides (connector.md 2). */
export const connectorEncoder: Encoder = {
  confidential: true,
  // The paraphrase is the registration's own, so nothing is shared between endpoints.
  variantFor: ({ id }) => `connector-${id}`,
  encode: ({ name, present }, { connector }) => {
    const [status, type] = told[name] ?? [];
    if (!status || !type) return undefined;
    if (!connector) throw new Error('an endpoint of the connector has no registration');
    // Its amounts have no currency: they are reais, and it knows no other rail.
    if ((present('1.0') as { readonly currency?: Currency }).currency !== 'BRL') return undefined;
    const record = present('0.1') as DepositResource | PayoutResource;
    return Buffer.from(
      JSON.stringify({
        status,
        type,
        externalId: record.external_id,
        paymentId: record.id,
        movId: movIdOf(record.id),
        amount: decimalNumber(BigInt(record.amount_cents), 'BRL'),
        securityParaphrase: connector.securityParaphrase,
        value: centsText(record.amount_cents),
        e2e: record.e2e_id ?? null,
        confirmationDate: record.paid_at ? brazilianTime(record.paid_at) : null,
        ...partiesOf(record),
        details: null,
        reasonCancellation: reasonOf(record),
        clientId: connector.clientId,
      }),
    );
  },
};

/** Receivers read the amount from this text: always two decimals. */
function centsText(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Brasília time, which has had one offset since 2019. */
function brazilianTime(iso: string): string {
  return `${new Date(Date.parse(iso) - brazilOffsetMs).toISOString().slice(0, 19)}-03:00`;
}

/** The other side of the payment; documents are masked. The merchant's own side is empty, as it was. */
function partiesOf(record: DepositResource | PayoutResource) {
  if (record.object === 'payout') return { payer: nobody, receiver: partyOf(record.recipient) };
  return { payer: partyOf(record.payer_details ?? record.payer ?? nobody), receiver: nobody };
}

function partyOf({ name, document }: { readonly name: string | null; readonly document: string | null }) {
  return { name: name ?? '', document: maskDocument(document ?? '') };
}

function reasonOf(record: DepositResource | PayoutResource): string | null {
  return record.object === 'payout' ? (record.failure_message ?? record.failure_reason) : null;
}
