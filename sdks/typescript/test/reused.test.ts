import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ExternalIdReusedError, Gateway } from '#src/index.ts';
import { secretKey } from './support/client.ts';
import { HttpServer } from './support/http-server.ts';

let server: HttpServer;
let gateway: Gateway<'1.0'>;
beforeAll(async () => {
  server = await HttpServer.start();
  gateway = new Gateway({ baseUrl: server.url, publicKey: 'pk_test_shop', secretKey, apiVersion: '1.0' });
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Creation {
  readonly ask: () => PromiseLike<object>;
  /** The record of what is asked for. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The member of the answer that has it. */
  readonly within?: string;
  /** What another record has, by the member that was asked for. */
  readonly others: Readonly<Record<string, object>>;
}

const external_id = 'order-1';
const deposit = { external_id, amount: 500, currency: 'BRL' } as const;
const recipient = { name: 'Maria da Silva', document: '52998224725' };
const payout = { external_id, amount: 500, payout_key: 'maria@example.com', payout_key_type: 'email' } as const;
const market = { external_id, from: 'BRL', to: 'USDT' } as const;
const quoted = { external_id, quote_id: 'qte_1' };
const days = { kind: 'statement', format: 'csv', currency: 'BRL', from: '2026-01-01', to: '2026-01-31' } as const;

const creations: Readonly<Record<string, Creation>> = {
  deposit: {
    ask: () => gateway.deposits.create(deposit),
    record: deposit,
    others: { amount: { amount: 700 }, currency: { currency: 'MXN' } },
  },
  payout: {
    ask: () => gateway.payouts.create({ ...payout, recipient, kind: 'PLAYER_PAYOUT' }),
    record: { ...payout, kind: 'PLAYER_PAYOUT' },
    within: 'payout',
    others: { amount: { amount: 700 }, payout_key: { payout_key: 'joana@example.com' }, kind: { kind: 'SETTLEMENT' } },
  },
  'conversion at the rate of now': {
    ask: () => gateway.conversions.create({ ...market, amount: 500 }),
    record: { ...market, from_amount: 500, quote_id: null },
    within: 'conversion',
    others: { from: { from: 'MXN' }, to: { to: 'BRL' }, amount: { from_amount: 700 } },
  },
  'conversion by a quote': {
    ask: () => gateway.conversions.create(quoted),
    record: { ...quoted, from: 'BRL', to: 'USDT', from_amount: 500 },
    within: 'conversion',
    others: { quote_id: { quote_id: 'qte_2' } },
  },
  export: {
    ask: () => gateway.exports.create({ external_id, ...days }),
    record: { external_id, ...days },
    others: {
      ...{ kind: { kind: 'settlement' }, format: { format: 'ofx' }, currency: { currency: 'MXN' } },
      ...{ from: { from: '2026-01-02' }, to: { to: '2026-01-30' } },
    },
  },
};

describe.each(Object.entries(creations))('a used external_id of a %s', (_, { ask, record, within, others }) => {
  const foundBefore = (other: object) => {
    const found = { id: 'one', ...record, ...other };
    server.reply({ status: 200, json: within === undefined ? found : { [within]: found } });
  };

  test.each(Object.entries(others))('is an error where its record has another %s', async (member, other) => {
    foundBefore(other);
    const error = await ask().then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(ExternalIdReusedError);
    expect(error).toMatchObject({ existing: { id: 'one' }, differing: [member] });
  });

  test('is its record where that is what was asked for', async () => {
    foundBefore({});
    expect(await ask()).toMatchObject({ id: 'one', meta: { created: false } });
  });
});
