import { expect } from 'vitest';
import { newId } from '@gateway/money';
import type { ExportResource } from '@gateway/public-api';
import { eventually } from '@gateway/test-kit';
import { startGateway, type GatewayUnderTest, type KeyPair } from './start-gateway.ts';
import { StatementLedger } from './statement-ledger.ts';

export const day = '2026-11-20';

/** The movements of the samples on one day, with one before it and one after. */
export const fiveMovements = [
  {
    at: '2026-11-19T12:00:00Z',
    type: 'ADJUSTMENT',
    refType: 'adjustment',
    amount: 100_000,
    refId: newId('adjustment'),
  },
  { at: '2026-11-20T12:00:05.120Z', type: 'DEPOSIT_NET', refType: 'deposit', amount: 9_850 },
  { at: '2026-11-20T13:10:02.004Z', type: 'PAYOUT', refType: 'payout', amount: -5_000 },
  { at: '2026-11-20T13:10:02.004Z', type: 'PAYOUT_FEE', refType: 'payout', amount: -100 },
  { at: '2026-11-20T15:00:41.500Z', type: 'DEPOSIT_REFUND', refType: 'refund', amount: -2_500 },
  // The last moment of the day in São Paulo.
  { at: '2026-11-21T02:59:59.999Z', type: 'MED_BLOCK', refType: 'dispute', amount: -3_000 },
  { at: '2026-11-21T03:00:00.000Z', type: 'ADJUSTMENT', refType: 'adjustment', amount: 1, refId: newId('adjustment') },
] as const;

/** A gateway whose ledger a test writes, and an account that orders exports of it. */
export class Exporting {
  readonly ledger = new StatementLedger();
  gateway!: GatewayUnderTest;
  account!: Awaited<ReturnType<GatewayUnderTest['newAccount']>>;
  #references = 0;

  async start(): Promise<void> {
    this.gateway = await startGateway(this.ledger.routes());
  }

  /** The ledger answers everything again. */
  async useNewAccount(): Promise<void> {
    [this.ledger.pagesMax, this.ledger.refusal] = [Infinity, 'SERVICE_UNAVAILABLE'];
    [this.ledger.unlisted, this.ledger.wavers] = ['', false];
    this.account = await this.gateway.newAccount({ document: '11222333000181' });
  }

  get key(): KeyPair {
    return this.account.test;
  }

  wanted(more: object = {}): object {
    this.#references += 1;
    const external_id = `e-${this.#references}`;
    return { kind: 'statement', format: 'csv', currency: 'BRL', from: day, to: day, external_id, ...more };
  }

  async create(more: object = {}, by = this.key, headers = {}) {
    return await this.gateway.asMerchant(by, 'POST', '/v1/exports', { body: this.wanted(more), headers });
  }

  async read(id: string, by = this.key, headers = {}) {
    const { status, body } = await this.gateway.asMerchant(by, 'GET', `/v1/exports/${id}`, { headers });
    return { status, exported: body as unknown as ExportResource };
  }

  async ended(id: string): Promise<ExportResource> {
    return await eventually(async () => {
      const { exported } = await this.read(id);
      expect(exported.status).not.toBe('PROCESSING');
      return exported;
    });
  }

  async fileOf({ download_url: url }: Pick<ExportResource, 'download_url'>) {
    return await this.gateway.call('GET', new URL(url!).pathname);
  }

  async completed(more: object = {}) {
    const exported = await this.ended((await this.create(more)).body.id);
    expect(exported.status).toBe('COMPLETED');
    return { exported, text: (await this.fileOf(exported)).text };
  }

  /** A credit of 1.00 in each second from midnight on. */
  addCredits(count: number): void {
    const credit = { type: 'ADJUSTMENT', refType: 'adjustment', amount: 100, refId: newId('adjustment') } as const;
    const midnight = Date.parse(`${day}T03:00:00Z`);
    const at = (place: number) => new Date(midnight + place * 1_000).toISOString();
    this.ledger.add(
      this.account.id,
      Array.from({ length: count }, (_, place) => ({ ...credit, at: at(place) })),
    );
  }

  async storedParts(id: string): Promise<number | undefined> {
    const sql = `select coalesce((progress ->> 'parts')::int, 0) as parts from export where id = $1`;
    return (await this.gateway.database.query<{ parts: number }>(sql, [id]))[0]?.parts;
  }
}
