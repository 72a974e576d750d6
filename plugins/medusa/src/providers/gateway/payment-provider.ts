import { type Gateway, isGatewayError } from '@gateway/sdk';
import { verifyWebhook } from '@gateway/sdk/webhooks';
import { AbstractPaymentProvider, MedusaError, PaymentActions } from '@medusajs/framework/utils';
import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { checkOptions, clientOf, type GatewayOptions } from '../../options/options.ts';
import { centsOf, reaisOf } from './cents.ts';
import { createCharge, endCharge, readCharge, sessionDataOf, sessionOf, statusOf } from './charge.ts';
import { refundCharge } from './refund-charge.ts';
import { readSessionData } from './session-data.ts';

/**
 * PIX payments of a Medusa shop. A session is a charge at the gateway, whose state is always read there: neither a webhook
 * nor a storefront says that something is paid.
 */
export class GatewayPaymentProvider extends AbstractPaymentProvider<GatewayOptions> {
  static override identifier = 'gateway';

  readonly #client: Gateway;

  constructor(cradle: Record<string, unknown>, options: GatewayOptions) {
    super(cradle, options);
    checkOptions(options);
    this.#client = clientOf(options);
  }

  static override validateOptions(options: Record<string, unknown>): void {
    checkOptions(options);
  }

  async initiatePayment({
    amount,
    currency_code,
    data,
    context,
  }: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const sessionId = data?.['session_id'] ?? context?.idempotency_key;
    if (typeof sessionId !== 'string') throw new MedusaError(MedusaError.Types.INVALID_DATA, 'session_id is missing');
    const amountCents = centsOf(amount, currency_code);
    const request = { sessionId, attempt: 0, amountCents, customer: context?.customer };
    const deposit = await said(createCharge(this.#client, this.config, request));
    return { id: deposit.id, data: sessionDataOf(deposit, { session_id: sessionId, attempt: 0, refunds: [] }) };
  }

  /** A charge has one amount: where the cart's changes, it is ended and another one made. */
  async updatePayment({ amount, currency_code, data, context }: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const session = readSessionData(data);
    const amountCents = centsOf(amount, currency_code);
    if (amountCents === session.amount_cents) return { data: session };
    await said(endCharge(this.#client, session));
    const attempt = session.attempt + 1;
    const request = { sessionId: session.session_id, attempt, amountCents, customer: context?.customer };
    const deposit = await said(createCharge(this.#client, this.config, request));
    return { data: sessionDataOf(deposit, { session_id: session.session_id, attempt, refunds: [] }) };
  }

  async authorizePayment({ data }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const session = readSessionData(data);
    const deposit = await said(readCharge(this.#client, this.config, session));
    return { data: sessionDataOf(deposit, session), status: statusOf(deposit) };
  }

  async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    return this.authorizePayment(input);
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const session = readSessionData(data);
    return { data: sessionDataOf(await said(readCharge(this.#client, this.config, session)), session) };
  }

  /** The money is there when the charge is paid; there is nothing to fetch. */
  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const session = readSessionData(data);
    const deposit = await said(readCharge(this.#client, this.config, session));
    if (deposit.status !== 'PAID')
      throw new MedusaError(MedusaError.Types.NOT_ALLOWED, `${deposit.id} is ${deposit.status}, not PAID`);
    return { data: sessionDataOf(deposit, session) };
  }

  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const session = readSessionData(data);
    await said(endCharge(this.#client, session));
    return { data: session };
  }

  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    // A session whose charge was never made has nothing to end: Medusa deletes it with what the storefront sent.
    if (data?.['deposit_id'] === undefined) return { data: data ?? {} };
    return this.cancelPayment({ data });
  }

  async refundPayment({ amount, data, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const session = readSessionData(data);
    const externalId = context?.idempotency_key;
    if (externalId === undefined) throw new MedusaError(MedusaError.Types.INVALID_DATA, 'idempotency_key is missing');
    const made = await said(refundCharge(this.#client, session, centsOf(amount), externalId));
    const deposit = await said(readCharge(this.#client, this.config, session));
    const refunds = [...new Set([...session.refunds, made])];
    return { data: sessionDataOf(deposit, { ...session, refunds }) };
  }

  /** The signature says who speaks; what became of the charge is read at the gateway. */
  async getWebhookActionAndData({ rawData, headers }: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const event = await verifyWebhook({
      body: rawData,
      headers: headers as Record<string, string>,
      secret: this.config.webhookSecret,
    }).catch((error: unknown) => {
      throw new MedusaError(MedusaError.Types.UNAUTHORIZED, `a webhook is refused: ${String(error)}`);
    });
    if (event.event !== 'deposit.paid') return { action: PaymentActions.NOT_SUPPORTED };
    const deposit = await said(this.#client.deposits.get(event.data.id));
    const session = sessionOf(deposit, this.config);
    if (session === undefined || deposit.status !== 'PAID') return { action: PaymentActions.NOT_SUPPORTED };
    return {
      action: PaymentActions.SUCCESSFUL,
      data: { session_id: session, amount: reaisOf(deposit.amount_cents) },
    };
  }
}

/** A refusal of the gateway in Medusa's form, so that its message reaches the shop; it has no secret in it. */
async function said<T>(call: PromiseLike<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!isGatewayError(error) || MedusaError.isMedusaError(error)) throw error;
    throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `the gateway: ${error.message}`);
  }
}
