import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargeInput, payoutInput, refundInput } from '@gateway/providers/testing';
import { ScriptedProviders, type AdapterId, type Answering } from './scripted-providers.ts';

const at = new Date('2026-01-02T10:44:37.000Z');
const time = at.toISOString();
let scripted: ScriptedProviders;
beforeAll(async () => {
  scripted = await ScriptedProviders.start(() => at);
});
afterAll(async () => scripted[Symbol.asyncDispose]());

const clabe = { type: 'clabe', value: '032180000118359719' } as const;

interface Reported {
  readonly ref: string;
  readonly cents: number;
  readonly currency?: string;
}
const text = (cents: number) => (cents / 100).toFixed(2);
const e2eId = 'E12345678202601021044abcdefghijk';

const speiTransfer = (kind: string, { ref, cents, currency = 'MXN' }: Reported) => ({
  ...{ id: 'tr_1', direction: 'outbound', amount: cents, currency, status: 'succeeded', tracking_key: 'K1' },
  ...{ transaction_date: time, metadata: { reference: ref, kind } },
});
const speiCharge = { id: 'acno_1', number: clabe.value, created_at: time, metadata: {} };
const speiPayment = {
  ...{ id: 'tr_in', direction: 'inbound', amount: 5000, currency: 'MXN', status: 'succeeded', tracking_key: 'E1' },
  ...{ account_number: { id: 'acno_1' }, counterparty: { account_number: clabe.value } },
};
/** What is asked before a refund is sent: where the payment came from. */
const isAboutPayment = (path: string) => path.includes('account_number');

/** The same answer to every call; in the lists of SPEI as their one item, beside the payment that goes back. */
function answeringWith(id: AdapterId, body: unknown): Answering {
  if (id !== 'spei') return () => ({ body });
  return ({ path }) => {
    if (path.startsWith('/v2/account_numbers/')) return { body: speiCharge };
    if (isAboutPayment(path)) return { body: [speiPayment] };
    return { body: path.startsWith('/v2/transfers?') ? [body] : body };
  };
}

/** What each provider answers for a payout that was paid, and for a refund that went back. */
const payoutAnswers: Readonly<Partial<Record<AdapterId, (reported: Reported) => unknown>>> = {
  efi: ({ ref, cents }) => ({
    ...{ idEnvio: ref, e2eId, endToEndId: e2eId, valor: text(cents), status: 'REALIZADO' },
    horario: { solicitacao: time, liquidacao: time },
  }),
  spei: (reported) => speiTransfer('payout', reported),
  woovi: ({ ref, cents }) => ({
    payment: { correlationID: ref, value: cents, status: 'CONFIRMED' },
    transaction: { value: cents, endToEndId: e2eId, time },
  }),
};
const refundAnswers: Readonly<Record<AdapterId, (reported: Reported) => unknown>> = {
  bacen: ({ ref, cents }) => ({ id: ref, rtrId: 'D1', valor: text(cents), horario: {}, status: 'DEVOLVIDO' }),
  efi: ({ ref, cents }) => ({ id: ref, rtrId: 'D1', valor: text(cents), horario: {}, status: 'DEVOLVIDO' }),
  spei: (reported) => speiTransfer('refund', reported),
  woovi: ({ ref, cents }) => {
    const refund = { status: 'REFUNDED', correlationID: ref, value: cents, refundId: 'r1' };
    return { refund, pixTransactionRefund: refund };
  },
};

const moneyOf = (id: string, amount: number) => ({ currency: id === 'spei' ? 'MXN' : 'BRL', amount }) as const;
const email = { type: 'email', value: 'a@example.com' } as const;

describe.each(['efi', 'spei', 'woovi'] as const)('a payout at %s', (id) => {
  const payout = payoutInput({ sentAt: at, destination: id === 'spei' ? clabe : email, money: moneyOf(id, 7000) });
  const lookup = { ref: payout.ref, payout, ...(id === 'spei' ? { providerRef: 'tr_1' } : {}) };
  const answer = (reported: Partial<Reported>) => {
    scripted.answering = answeringWith(id, payoutAnswers[id]?.({ ref: payout.ref, cents: 7000, ...reported }));
  };

  test('that is answered as it is recorded is paid', async () => {
    answer({});
    expect(await scripted.provider(id).createPayout(payout)).toMatchObject({ kind: 'accepted', status: 'PAID' });
    expect(await scripted.provider(id).getPayout(lookup)).toMatchObject({ status: 'PAID' });
  });

  const differences: [string, Partial<Reported>, string, string][] = [
    ['another amount', { cents: 999_999 }, 'amount', '999999'],
    ['another reference', { ref: 'somebodyelses' }, 'reference', 'somebodyelses'],
  ];
  if (id === 'spei') differences.push(['another currency', { currency: 'USD' }, 'currency', 'USD']);

  test.each(differences)('that is answered with %s is unknown, never paid', async (_name, reported, field, value) => {
    answer(reported);
    const differs = { field, reported: value };
    expect(await scripted.provider(id).createPayout(payout)).toMatchObject({ kind: 'unknown', differs });
    expect(await scripted.provider(id).getPayout(lookup)).toEqual({ status: 'DIFFERS', ...differs });
  });

  test('whose rejection cannot be looked into is unknown, never refused', async () => {
    scripted.answering = ({ method }) =>
      method === 'GET' ? { status: 503, body: {} } : { status: 400, body: refusalOf[id] };
    expect(await scripted.provider(id).createPayout(payout)).toMatchObject({ kind: 'unknown' });
  });

  test('whose rejection follows an earlier call that arrived is what became of that call', async () => {
    const found = answeringWith(id, payoutAnswers[id]?.({ ref: payout.ref, cents: 7000 }));
    scripted.answering = (request) =>
      request.method === 'GET' ? found(request) : { status: 400, body: refusalOf[id] };
    expect(await scripted.provider(id).createPayout(payout)).toMatchObject({ kind: 'accepted', status: 'PAID' });
  });
});

const refusalOf = {
  bacen: { type: 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida', title: 'x', status: 400, detail: 'x' },
  efi: { nome: 'saldo_insuficiente', mensagem: 'Saldo insuficiente' },
  spei: { error: { type: 'invalid_request_error', code: 'insufficient_funds', message: 'x' } },
  woovi: { error: 'NOT_ENOUGH_BALANCE' },
} as const satisfies Record<AdapterId, object>;

describe.each(['bacen', 'efi', 'spei', 'woovi'] as const)('a refund at %s', (id) => {
  const refund = refundInput({
    sentAt: at,
    receipt: { e2eId: 'E1', chargeRef: '01kb0000000000000000000001', chargeProviderRef: 'acno_1' },
    money: moneyOf(id, 5000),
  });
  const lookup = { ref: refund.ref, refund, ...(id === 'spei' ? { providerRef: 'tr_1' } : {}) };
  const answer = (reported: Partial<Reported>) => {
    scripted.answering = answeringWith(id, refundAnswers[id]({ ref: refund.ref, cents: 5000, ...reported }));
  };

  test('that is answered as it is recorded is done', async () => {
    answer({});
    expect(await scripted.provider(id).refund(refund)).toMatchObject({ kind: 'accepted', status: 'DONE' });
    expect(await scripted.provider(id).getRefund(lookup)).toMatchObject({ status: 'DONE' });
  });

  test.each([
    ['another amount', { cents: 1 }, 'amount', '1'],
    ['another reference', { ref: 'somebodyelses' }, 'reference', 'somebodyelses'],
  ])('that is answered with %s is unknown, never done', async (_name, reported, field, value) => {
    answer(reported);
    const differs = { field, reported: value };
    expect(await scripted.provider(id).refund(refund)).toMatchObject({ kind: 'unknown', differs });
    expect(await scripted.provider(id).getRefund(lookup)).toEqual({ status: 'DIFFERS', ...differs });
  });

  test('whose rejection cannot be looked into is unknown, never refused', async () => {
    const known = answeringWith(id, {});
    scripted.answering = (request) => {
      if (request.method !== 'GET') return { status: 400, body: refusalOf[id] };
      return isAboutPayment(request.path) ? known(request) : { status: 503, body: {} };
    };
    expect(await scripted.provider(id).refund(refund)).toMatchObject({ kind: 'unknown' });
  });
});

describe('a charge', () => {
  const charge = chargeInput({ createdAt: at, money: { currency: 'BRL', amount: 3700 } });
  const cob = {
    ...{ txid: charge.ref, status: 'ATIVA', valor: { original: '37.00' } },
    ...{
      calendario: { criacao: time, expiracao: 3600 },
      location: 'pix.example.com/qr/v2/2353c790eefb11eaadc10242ac120002',
    },
  };

  test('whose provider tells a location and no code gets a code that is made of it', async () => {
    scripted.answering = () => ({ status: 201, body: cob });
    const outcome = await scripted.provider('bacen').createCharge(charge);
    expect(outcome).toMatchObject({
      kind: 'accepted',
      charge: { emv: expect.stringContaining(cob.location) as string },
    });
    scripted.answering = () => ({ status: 201, body: { ...cob, location: undefined } });
    expect(await scripted.provider('bacen').createCharge(charge)).toMatchObject({ kind: 'unknown' });
  });

  test('of Woovi has its txid where the published answers have it', async () => {
    const pix = { method: 'PIX_COB', transactionID: 'c37368e176894eea9b35fe0ea8ef2b7d', txId: 'x' };
    const made = { correlationID: charge.ref, value: 3700, status: 'ACTIVE', brCode: '000201', expiresDate: time };
    scripted.answering = () => ({ body: { charge: { ...made, paymentMethods: { pix } } } });
    expect(await scripted.provider('woovi').createCharge(charge)).toMatchObject({
      ...{ kind: 'accepted', charge: { txid: pix.transactionID } },
    });
  });

  test('that is looked up under our reference and answered with another is neither paid nor open', async () => {
    const pix = [{ endToEndId: 'E1', txid: 'another', valor: '37.00', horario: time }];
    const lookup = { ref: charge.ref, charge };
    for (const body of [
      { ...cob, txid: 'another' },
      { ...cob, status: 'CONCLUIDA', pix },
    ]) {
      scripted.answering = () => ({ body });
      expect(await scripted.provider('bacen').getCharge(lookup)).toMatchObject({ status: 'UNAVAILABLE' });
    }
  });

  test('of Woovi that is gone is canceled, also when the answer to the first call was lost', async () => {
    scripted.answering = () => ({ status: 400, body: { error: 'Charge not found' } });
    const lookup = { ref: charge.ref, charge };
    expect(await scripted.provider('woovi').cancelCharge(lookup)).toEqual({ kind: 'accepted' });
    scripted.answering = () => ({ status: 400, body: { error: 'A cobrança não pode ser removida' } });
    expect(await scripted.provider('woovi').cancelCharge(lookup)).toMatchObject({ kind: 'not_cancelable' });
  });
});

describe('Woovi', () => {
  const refund = refundInput({
    sentAt: at,
    receipt: { e2eId: 'E1', chargeRef: 'charge1' },
    money: moneyOf('woovi', 100),
  });
  const lookup = { ref: refund.ref, refund };
  const withoutStatus = { value: 100, correlationID: refund.ref, refundId: '11bf5b', returnIdentification: 'D0908' };

  test.each([
    ['CONFIRMED', { status: 'DONE', returnId: 'D0908' }],
    ['REJECTED', { status: 'FAILED' }],
    ['IN_PROCESSING', { status: 'PROCESSING' }],
  ])('tells of a refund without a status by those of its charge: %s', async (status, expected) => {
    scripted.answering = ({ path }) =>
      path.startsWith('/api/v1/charge/charge1/refund')
        ? { body: { refunds: [{ status, value: 100, correlationID: refund.ref, endToEndId: 'D0908' }] } }
        : { body: { pixTransactionRefund: withoutStatus } };
    expect(await scripted.provider('woovi').getRefund(lookup)).toMatchObject(expected);
  });

  test('knows a refund that is done at once by the id of its return, which the first answer does not have', async () => {
    const { returnIdentification, ...answered } = { ...withoutStatus, status: 'REFUNDED' };
    scripted.answering = ({ method }) =>
      method === 'POST' ? { body: { refund: answered } } : { body: { pixTransactionRefund: withoutStatus } };
    const done = { kind: 'accepted', status: 'DONE' };
    expect(await scripted.provider('woovi').refund(refund)).toMatchObject({ ...done, returnId: returnIdentification });
    scripted.answering = ({ method }) =>
      method === 'POST' ? { body: { refund: answered } } : { status: 503, body: {} };
    expect(await scripted.provider('woovi').refund(refund)).toMatchObject({ ...done, returnId: answered.refundId });
  });

  test('that may not look up owners says that it cannot, not that we are unknown', async () => {
    scripted.answering = () => ({ status: 403, body: { error: 'forbidden' } });
    const payout = payoutInput({ sentAt: at, destination: email, verifyOwner: true });
    expect(await scripted.provider('woovi').createPayout(payout)).toMatchObject({
      ...{ kind: 'not_sent', reason: 'unsupported' },
    });
  });

  test('tells a dispute without amount and time as one of the whole payment', async () => {
    scripted.answering = () => ({ body: { dispute: { status: 'ACCEPTED', endToEndId: 'E1', type: 'MED', id: 'x' } } });
    expect(await scripted.provider('woovi').getDisputes?.({ e2eId: 'E1', paid: 4200 })).toMatchObject({
      disputes: [{ type: 'dispute.lost', e2eId: 'E1', money: { currency: 'BRL', amount: 4200 }, at }],
    });
    scripted.answering = () => ({ body: { dispute: { status: 'ACCEPTED', endToEndId: 'E2' } } });
    expect(await scripted.provider('woovi').getDisputes?.({ e2eId: 'E1', paid: 1 })).toMatchObject({
      status: 'UNAVAILABLE',
    });
  });

  test('that does not know the id of a dispute gets the evidence under the id of its payment', async () => {
    scripted.answering = ({ path }) =>
      path.includes('/E1/') ? { body: { documents: [] } } : { status: 400, body: { error: 'Dispute not found' } };
    const evidence = { disputeRef: 'E1', e2eId: 'E1', ref: 'r', text: 't', documentUrls: ['https://example.com/1'] };
    scripted.takeRequests();
    expect(await scripted.provider('woovi').submitEvidence?.({ ...evidence, providerRef: 'D9' })).toEqual({
      kind: 'accepted',
    });
    const paths = scripted.takeRequests().map(({ path }) => path);
    expect(paths).toEqual(['/api/v1/dispute/D9/evidence', '/api/v1/dispute/E1/evidence']);
  });
});

describe('Efí', () => {
  const pix = (devolucoes: readonly object[]) => ({
    endToEndId: 'E1',
    txid: 't',
    valor: '50.00',
    horario: time,
    devolucoes,
  });
  const back = { id: 'med1', rtrId: 'D7', valor: '50.00', natureza: 'MED_FRAUDE', horario: {}, status: 'DEVOLVIDO' };
  const infraction = (change: object) => ({
    ...{ idInfracao: 'i1', endToEndId: 'E1', valor: '5000', status: 'EM_DEFESA', criadoEm: time },
    ...change,
  });
  const listing = (items: readonly unknown[]) => ({
    parametros: { paginacao: { quantidadeDePaginas: 1 } },
    infracoes: items,
  });

  test('has one dispute for an infraction and the money that went back for it', async () => {
    scripted.answering = ({ path }) =>
      path.includes('infracoes')
        ? { body: listing([infraction({}), infraction({ idInfracao: 'i2', endToEndId: 'E2' })]) }
        : { body: pix([back]) };
    expect(await scripted.provider('efi').getDisputes?.({ e2eId: 'E1', paid: 5000 })).toMatchObject({
      disputes: [{ type: 'dispute.lost', disputeRef: 'i1', returnId: 'D7', money: { amount: 5000 } }],
    });
  });

  test.each([
    ['by day, where instants are refused', /inicio=2026-01-01&fim=2026-01-03/, listing([infraction({})])],
    ['without pages', /./, [infraction({ criadoEm: '2026-01-02' })]],
  ])('lists infractions %s', async (_name, form, body) => {
    scripted.answering = ({ path }) => {
      if (!path.includes('infracoes')) return { body: pix([]) };
      return form.test(path) ? { body } : { status: 400, body: {} };
    };
    const lookup = { e2eId: 'E1', paid: 5000, openedAt: at };
    expect(await scripted.provider('efi').getDisputes?.(lookup)).toMatchObject({
      disputes: [{ type: 'dispute.review', disputeRef: 'i1' }],
    });
  });

  test('leaves a dispute undecided whose infraction cannot be read, and none because of another one', async () => {
    scripted.answering = ({ path }) =>
      path.includes('infracoes') ? { body: listing([infraction({ status: 'NOVA' })]) } : { body: pix([]) };
    const ask = (payment: string) => scripted.provider('efi').getDisputes?.({ e2eId: payment, paid: 5000 });
    expect(await ask('E1')).toMatchObject({ status: 'UNAVAILABLE' });
    scripted.answering = ({ path }) =>
      path.includes('infracoes')
        ? { body: listing([infraction({ status: 'NOVA', endToEndId: 'E2' }), infraction({})]) }
        : { body: pix([]) };
    expect(await ask('E1')).toMatchObject({ status: 'FOUND' });
  });
});
