import { eventually } from '@gateway/test-kit';
import type { Json } from '../../support/merchant-client.ts';
import { expectStatus } from '../load/careful-client.ts';
import { newMerchant, type Merchant } from '../load/merchant.ts';
import { Operator } from '../load/operator.ts';
import type { Stage } from '../stage/stage.ts';

export type Provider = 'bacen' | 'efi' | 'woovi' | 'spei';

const brlProviders = ['bacen', 'efi', 'woovi'] as const;
const preparedWithin = { timeoutMs: 60_000, everyMs: 100 };

/** A merchant with live records at the provider that a test names, and what is done to them there. */
export class Scene {
  readonly stage: Stage;
  readonly merchant: Merchant;
  readonly operator: Operator;
  #names = 0;

  private constructor(stage: Stage, merchant: Merchant) {
    this.stage = stage;
    this.merchant = merchant;
    this.operator = new Operator(stage.stack.opsUrl, stage.stack.dev.ops_tokens[0]!);
  }

  static async open(stage: Stage, name: string): Promise<Scene> {
    const scene = new Scene(stage, await newMerchant(stage, name, false));
    // Payouts in BRL go to Efí.
    await scene.control('/faults', { dialect: 'woovi', operation: 'create-transfer', fault: 'throttled' });
    return scene;
  }

  /** A charge that is open at this provider. */
  async charge(provider: Provider, amount = 10_000): Promise<{ id: string; reference: string }> {
    if (provider !== 'spei') await this.#routeTo(provider);
    const money = provider === 'spei' ? { amount, currency: 'MXN' } : { amount_cents: amount };
    const wanted = { ...money, external_id: this.#name() };
    const { body } = expectStatus(await this.merchant.clients.live.post('/v1/deposits', wanted), 201);
    return { id: body.id, reference: referenceOf(body.id) };
  }

  async paidCharge(provider: Provider): Promise<{ id: string; reference: string; e2eId: string }> {
    const { id, reference } = await this.charge(provider);
    const { e2eId } = await this.merchant.bank.payOnce(reference);
    await this.#until(`/v1/deposits/${id}`, ({ status }) => status === 'PAID');
    return { id, reference, e2eId };
  }

  /** A payout that this provider has carried out, or has in hand. */
  async payout(provider: 'efi' | 'spei', changes: object = {}): Promise<{ id: string; reference: string }> {
    if (provider === 'efi') await this.#routeTo('efi');
    const { id, reference } = await this.askForPayout(provider, changes);
    await eventually(async () => {
      if (!(await this.merchant.bank.transfers()).has(reference)) throw new Error(`${provider} has no ${reference}`);
    }, preparedWithin);
    if (!('pix_key' in changes)) await this.#until(`/v1/payouts/${id}`, ({ payout }) => payout.status === 'PAID');
    return { id, reference };
  }

  /** The call alone, repeated until it is answered. */
  async askForPayout(provider: 'efi' | 'spei', changes: object = {}): Promise<{ id: string; reference: string }> {
    const pix = { amount_cents: 5_000, pix_key: 'maria@example.com', pix_key_type: 'email', recipient };
    const spei = {
      amount: 5_000,
      currency: 'MXN',
      payout_key: clabe,
      payout_key_type: 'clabe',
      recipient: beneficiary,
    };
    const wanted = { ...(provider === 'efi' ? pix : spei), external_id: this.#name(), ...changes };
    const { body } = expectStatus(await this.merchant.clients.live.post('/v1/payouts', wanted), 200, 201, 504);
    const id: string = body.payout?.id ?? body.error.payout_id;
    return { id, reference: referenceOf(id) };
  }

  async read(path: string): Promise<Json> {
    return (await this.merchant.clients.live.get(path)).body;
  }

  /** What the statement of the account has of the record. */
  async entriesOf(id: string): Promise<string[]> {
    const { data } = await this.read(`/v1/transactions?ref_id=${id}&limit=200`);
    return data.map(({ type, amount_cents: amount }: Json) => `${type} ${amount}`).sort();
  }

  control(path: string, body: object = {}): Promise<Json> {
    return this.merchant.bank.control(path, body);
  }

  async #until(path: string, holds: (body: Json) => boolean): Promise<void> {
    await eventually(async () => {
      const body = await this.read(path);
      if (!holds(body)) throw new Error(`${path} is ${JSON.stringify(body)}`);
    }, preparedWithin);
  }

  async #routeTo(provider: Provider): Promise<void> {
    for (const id of brlProviders) {
      await this.operator.call('PATCH', `/ops/providers/${id}`, { enabled: id === provider });
    }
  }

  /**
   * Lists are not answered any more, so that what happens is learned from notifications alone. Woovi's are: its answer about
   * one payment is read from them.
   */
  async onlyNotifications(): Promise<void> {
    await this.merchant.bank.removeFaults();
    for (const id of brlProviders) await this.operator.call('PATCH', `/ops/providers/${id}`, { enabled: true });
    for (const dialect of ['bacen', 'efi', 'spei']) {
      await this.control('/faults', { dialect, operation: 'list', fault: 'unauthorized' });
    }
  }

  #name(): string {
    return `fact-${++this.#names}`;
  }
}

const referenceOf = (id: string): string => id.slice(id.indexOf('_') + 1);

const recipient = { name: 'Maria da Silva', document: '52998224725' };
const clabe = '002010077777777771';
const beneficiary = { name: 'Juan Perez', document: 'XAXX010101000' };
