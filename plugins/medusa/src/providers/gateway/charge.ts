import { type Gateway, isGatewayError, ValidationError } from '@gateway/sdk';
import { MedusaError, PaymentSessionStatus } from '@medusajs/framework/utils';
import type { PaymentCustomerDTO } from '@medusajs/framework/types';
import type { Deposit } from '../../events/paid-deposits.ts';
import { type GatewayOptions, shopOf } from '../../options/options.ts';
import type { SessionData } from './session-data.ts';

export interface ChargeRequest {
  readonly sessionId: string;
  readonly attempt: number;
  readonly amountCents: number;
  readonly customer?: PaymentCustomerDTO | undefined;
}

/**
 * Makes the charge of a session. Its `external_id` is the session's id, with the attempt and the amount where the amount
 * was changed: one charge for a session and amount, however often this is called and wherever it ended the last time.
 */
export async function createCharge(client: Gateway, options: GatewayOptions, request: ChargeRequest): Promise<Deposit> {
  const { sessionId, attempt, amountCents, customer } = request;
  const charge = {
    amount_cents: amountCents,
    external_id: attempt === 0 ? sessionId : `${sessionId}:${String(attempt)}:${String(amountCents)}`,
    expires_in_sec: options.expiresInSec ?? 3_600,
    metadata: { medusa_session: sessionId, medusa_shop: shopOf(options) },
  };
  const payer = payerOf(customer);
  if (payer === undefined) return client.deposits.create(charge);
  try {
    return await client.deposits.create({ ...charge, payer });
  } catch (error) {
    // What a customer typed as a name is no reason not to sell: the charge is made without it.
    if (error instanceof ValidationError && error.details.every(({ path }) => path.startsWith('payer')))
      return client.deposits.create(charge);
    throw error;
  }
}

function payerOf(customer: PaymentCustomerDTO | undefined): { name?: string; email?: string } | undefined {
  if (customer === undefined) return undefined;
  const name = [customer.first_name, customer.last_name].filter((part) => (part ?? '') !== '').join(' ');
  return { ...(name === '' ? {} : { name }), ...(customer.email === '' ? {} : { email: customer.email }) };
}

/** What the session keeps of its charge. */
export function sessionDataOf(
  deposit: Deposit,
  of: Pick<SessionData, 'session_id' | 'attempt' | 'refunds'>,
): SessionData {
  return {
    ...of,
    deposit_id: deposit.id,
    amount_cents: deposit.amount_cents,
    emv: deposit.pix.emv,
    payment_url: deposit.payment_url,
    expires_at: deposit.expires_at,
    status: deposit.status,
  };
}

/**
 * The charge of a session as it is at the gateway.
 *
 * @throws MedusaError INVALID_DATA for a charge of another session or amount, whoever has put it there
 */
export async function readCharge(client: Gateway, options: GatewayOptions, session: SessionData): Promise<Deposit> {
  const deposit = await client.deposits.get(session.deposit_id);
  const isItsOwn = sessionOf(deposit, options) === session.session_id && deposit.amount_cents === session.amount_cents;
  if (!isItsOwn)
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `${deposit.id} is not the charge of session ${session.session_id}`,
    );
  return deposit;
}

/** The session that a charge was made for; undefined for one of another shop, or of no shop. */
export function sessionOf(deposit: Pick<Deposit, 'metadata'>, options: GatewayOptions): string | undefined {
  const { medusa_session: session, medusa_shop: shop } = deposit.metadata ?? {};
  return typeof session === 'string' && shop === shopOf(options) ? session : undefined;
}

/**
 * Ends a charge that is not wanted any more.
 *
 * @throws MedusaError NOT_ALLOWED where money has come: it is kept for the cart, or sent back by a refund
 */
export async function endCharge(client: Gateway, session: SessionData): Promise<void> {
  try {
    await client.deposits.cancel(session.deposit_id);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    const { status } = await client.deposits.get(session.deposit_id);
    if (status === 'PENDING') throw error;
    if (status === 'PAID')
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        `${session.deposit_id} has been paid: complete the cart, or refund the payment`,
      );
  }
}

/**
 * A charge's state as Medusa says it. PIX is captured by being paid. A charge that waits is `pending_authorization`: the
 * order is placed, and its payment is captured when the money comes.
 */
export function statusOf(deposit: Pick<Deposit, 'status'>): PaymentSessionStatus {
  if (deposit.status === 'PAID') return PaymentSessionStatus.CAPTURED;
  if (deposit.status === 'PENDING') return PaymentSessionStatus.PENDING_AUTHORIZATION;
  if (deposit.status === 'EXPIRED' || deposit.status === 'REFUNDED') return PaymentSessionStatus.CANCELED;
  return deposit.status === 'FAILED' ? PaymentSessionStatus.CANCELED : PaymentSessionStatus.ERROR;
}
