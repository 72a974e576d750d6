import { headers, type NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import { DepositCreated, type Deposit } from '@gateway/contracts/deposits';
import { newId } from '@gateway/money';
import type { Environment } from '../environment/environment.ts';

const publishTimeoutMs = 30_000;

/** Puts events on the bus as the outbox of the deposits service does, without the deposits: webhooks are what is measured. */
export class EventSource implements AsyncDisposable {
  readonly #nats: NatsConnection;

  private constructor(nats: NatsConnection) {
    this.#nats = nats;
  }

  static async connect({ stack }: Environment): Promise<EventSource> {
    const { host, username, password } = new URL(stack.natsUrl);
    const credentials = username === '' ? {} : { user: username, pass: password };
    return new EventSource(await connect({ servers: host, noAsyncTraces: true, ...credentials }));
  }

  /** One `deposit.pending`; resolves with the id of its deposit when JetStream has it. */
  async publish(accountId: string): Promise<string> {
    const event = { id: newId('event'), occurredAt: Math.floor(Date.now() / 1_000), deposit: newDeposit(accountId) };
    const named = headers();
    named.set('Nats-Msg-Id', event.id);
    const options = { headers: named, timeout: publishTimeoutMs };
    const answer = (await this.#nats.request(DepositCreated.subject, JSON.stringify(event), options)).json<object>();
    if ('error' in answer) throw new Error(`the event was not stored: ${JSON.stringify(answer)}`);
    return event.deposit.id;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#nats.close();
  }
}

/** As the sandbox makes them: about 1.1 KB of webhook. */
function newDeposit(accountId: string): Deposit {
  const createdAt = Math.floor(Date.now() / 1_000);
  return {
    id: newId('deposit'),
    environment: 'test',
    accountId,
    externalId: `order-${createdAt}`,
    status: 'PENDING',
    currency: 'BRL',
    paymentMethod: 'PIX',
    amount: 10_050,
    fee: 10,
    net: 10_040,
    refunded: 0,
    emv: `00020101021226800014br.gov.bcb.pix2558pix.sandbox.invalid/qr/v2/${'0'.repeat(32)}52040000530398654`,
    redirectUrl: null,
    clabe: null,
    beneficiary: null,
    asked: null,
    received: 0,
    qrUrl: null,
    payer: { name: 'Maria da Silva', email: 'maria@example.com', phone: null, document: '52998224725' },
    payerDetails: null,
    e2eId: null,
    callbackUrl: null,
    returnUrl: null,
    description: null,
    metadata: { text: 'x'.repeat(400) },
    apiVersion: '0.1',
    createdAt,
    expiresAt: createdAt + 86_400,
    paidAt: null,
  };
}
