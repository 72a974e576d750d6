import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bacenProvider, type ConnectedProvider } from '@gateway/providers';
import { chargeInput, refundInput, rowsOf } from '@gateway/providers/testing';
import { WireBench } from '../wire-bench.ts';
import { publishedExamples } from './bacen.ts';
import { Recorder } from './recorder.ts';

/* The examples that Banco Central publishes, put through the adapter as they are. */

const secret = 'a-secret-of-some-length';
let bench: WireBench;
let recorder: Recorder;
let provider: ConnectedProvider;
beforeAll(async () => {
  bench = await WireBench.start();
  recorder = await Recorder.start(bench.url);
  provider = bacenProvider(
    {
      ...{ id: 'bank', baseUrl: new URL('/v2', recorder.url), tokenUrl: new URL('/oauth/token', recorder.url) },
      ...{ clientId: 'Client_Id_simulator', clientSecret: 'Client_Secret_simulator', callTimeoutMs: 30_000 },
      ...{ receivingKey: 'key@example.com', notifications: { secret } },
    },
    { now: () => new Date('2020-09-09T20:20:00Z') },
  );
});
afterAll(async () => {
  for (const each of [provider, recorder, bench]) await each[Symbol.asyncDispose]();
});

interface Cob {
  readonly txid: string;
  readonly status: string;
  readonly calendario: { readonly criacao: string; readonly expiracao: number };
  readonly valor: { readonly original: string };
}

function answering(method: string, path: string, answer: unknown): void {
  recorder.replayed = [{ method, path, request: undefined, status: method === 'PUT' ? 201 : 200, answer }];
}

const chargeLike = ({ txid, calendario, valor }: Cob) =>
  chargeInput({
    ref: txid,
    createdAt: new Date(calendario.criacao),
    expiresInSec: calendario.expiracao,
    money: { currency: 'BRL', amount: Number(valor.original.replace('.', '')) },
  });

/** An amount of zero is for withdrawals alone, which are not made here. */
const charges = (publishedExamples('PUT /cob/{txid} 201') as Cob[]).filter(({ valor }) => valor.original !== '0.00');

describe('the published examples', () => {
  test.each(charges.map((cob) => [cob.txid, cob] as const))(
    'a charge that was made (%s) can be paid, although no example has its code',
    async (txid, cob) => {
      answering('PUT', `/v2/cob/${txid}`, cob);
      const outcome = await provider.createCharge(chargeLike(cob));
      expect(outcome).toMatchObject({
        kind: 'accepted',
        charge: { txid, emv: expect.stringMatching(/^000201/) as string },
      });
    },
  );

  test('charges are open, paid and removed', async () => {
    const [paid] = publishedExamples('GET /cob/{txid} 200') as [Cob];
    for (const [cob, state] of [...charges.map((each) => [each, 'OPEN'] as const), [paid, 'PAID'] as const]) {
      answering('GET', `/v2/cob/${cob.txid}`, cob);
      expect(await provider.getCharge({ ref: cob.txid, charge: chargeLike(cob) })).toMatchObject({ status: state });
    }
  });

  test('every payment of the list is read, with what went back of it', async () => {
    const [list] = publishedExamples('GET /pix 200') as [{ pix: { endToEndId: string }[] }];
    for (const feed of provider.feeds ?? []) {
      // Whatever is asked for, the list is the answer.
      const window = { from: new Date('2020-04-01T00:00:00Z'), to: new Date('2020-04-02T00:00:00Z') };
      recorder.replayed = [];
      const since = recorder.exchanges.length;
      await rowsOf(feed, window);
      const asked = recorder.exchanges.slice(since).find(({ path }) => path.startsWith('/v2/pix?'));
      answering('GET', asked?.path ?? '', list);
      const items = (await rowsOf(feed, window)).map((row) => feed.read(row));
      expect(items.filter(({ kind }) => kind === 'unreadable')).toEqual([]);
      if (feed.name !== 'payments') continue;
      const read = items.flatMap((item) => (item.kind === 'pointer' ? item.events : []));
      expect(read.map((event) => 'e2eId' in event && event.e2eId)).toEqual(
        list.pix.map(({ endToEndId }) => endToEndId),
      );
    }
  });

  test('a refund is under way, and another was not carried out', async () => {
    for (const [example, status] of [
      ['PUT /pix/{e2eid}/devolucao/{id} 201', 'PROCESSING'],
      ['GET /pix/{e2eid}/devolucao/{id} 200', 'FAILED'],
    ] as const) {
      const [made] = publishedExamples(example) as [{ id: string; valor: string }];
      const refund = refundInput({
        ...{
          ref: made.id,
          sentAt: new Date(),
          money: { currency: 'BRL', amount: Number(made.valor.replace('.', '')) },
        },
        receipt: { e2eId: 'E1', chargeRef: 'c' },
      });
      answering('GET', `/v2/pix/E1/devolucao/${made.id}`, made);
      expect(await provider.getRefund({ ref: refund.ref, refund })).toMatchObject({ status });
    }
  });

  test('payments asked for by their id are in no dispute, whatever the length of the id', async () => {
    for (const pix of publishedExamples('GET /pix/{e2eid} 200') as { endToEndId: string }[]) {
      answering('GET', `/v2/pix/${pix.endToEndId}`, pix);
      expect(await provider.getDisputes?.({ e2eId: pix.endToEndId, paid: 1 })).toEqual({ status: 'NOT_FOUND' });
    }
  });

  test('a notification tells both of its payments', async () => {
    const [body] = publishedExamples('notification pix');
    const result = await provider.verifyAndParseNotification({
      ...{ rawBody: Buffer.from(JSON.stringify(body)), headers: {}, query: { hmac: secret }, pathSuffix: '' },
      ...{ remoteIp: '127.0.0.1', receivedAt: new Date() },
    });
    const events = result.ok ? result.events : [];
    expect(events.map(({ type }) => type)).toEqual(['charge.paid', 'charge.paid']);
  });
});
