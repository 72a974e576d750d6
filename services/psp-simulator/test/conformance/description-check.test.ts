import { describe, expect, test } from 'vitest';
import { bacenDescription, publishedAt, publishedExamples, schemaRepairs } from './bacen.ts';
import { operationOf, schemaOf, type Description, type Facts } from './description.ts';
import { DescriptionCheck } from './description-check.ts';
import { fintocDescription } from './fintoc.ts';
import { bodiesWithOneMore, bodiesWithoutOne, bodyWith } from './variants.ts';
import { wooviDescription } from './woovi.ts';

const thing: Facts = { 'id!': 'text', 'kind!': '=A|B', parts: [{ 'size?': 'integer' }] };
const description: Description = {
  name: 'things',
  base: '/v1',
  operations: [
    operationOf({
      call: 'PUT /things/{id}',
      query: { 'since!': 'text', deep: 'boolean' },
      request: thing,
      answers: { 200: thing, 204: null },
    }),
  ],
  notifications: { 'thing.made': schemaOf({ 'event!': 'text', thing }) },
  schemas: {},
  repairs: [],
};
const check = new DescriptionCheck(description);
const whole = { id: 'x', kind: 'A', parts: [{ size: 1 }, { size: null }] };
const asked = { method: 'PUT', path: '/v1/things/7?since=now', request: whole as unknown };
const answered = { method: 'PUT', path: '/v1/things/7', status: 200, answer: whole as unknown };

describe('the check against a description', () => {
  test('has no remark on what is described', () => {
    expect(check.remarksOnRequest({ ...asked, path: `${asked.path}&deep=true` })).toEqual([]);
    expect(check.remarksOnAnswer(answered)).toEqual([]);
    expect(check.remarksOnAnswer({ ...answered, status: 204, answer: undefined })).toEqual([]);
    expect(check.remarksOnNotification('thing.made', { event: 'thing.made', thing: whole })).toEqual([]);
  });

  test.each([
    ['an undescribed member', { ...whole, colour: 'red' }, '. has colour, which is not described'],
    ['one in a list', { ...whole, parts: [{}, { weight: 1 }] }, '.parts[] has weight, which is not described'],
    ['a wrong word', { ...whole, kind: 'C' }, '.kind is none of A, B'],
    ['a missing member', { kind: 'A' }, ". must have required property 'id'"],
    ['another type', { ...whole, id: 7 }, '.id must be string'],
    ['no body', undefined, 'the body is missing'],
  ])('sees %s, whoever says it', (_name, body, remark) => {
    expect(check.remarksOnRequest({ ...asked, request: body })).toContain(`PUT /things/{id}: ${remark}`);
    expect(check.remarksOnAnswer({ ...answered, answer: body })).toContain(`PUT /things/{id} 200: ${remark}`);
    const notified = check.remarksOnNotification('thing.made', { event: 'thing.made', thing: body });
    if (body !== undefined) expect(notified).toHaveLength(1);
  });

  test.each([
    ['an undescribed query name', '/v1/things/7?since=now&page=2', 'the query name page is not described'],
    ['a missing one', '/v1/things/7', 'the query name since is missing'],
    ['one of another type', '/v1/things/7?since=now&deep=perhaps', '?deep . must be boolean'],
  ])('sees %s', (_name, path, remark) => {
    expect(check.remarksOnRequest({ ...asked, path })).toEqual([`PUT /things/{id}: ${remark}`]);
  });

  test('sees a path, a method, a status, a body and a notification that nobody described', () => {
    expect(check.remarksOnRequest({ ...asked, path: '/v1/others/7' })).toEqual(['PUT /v1/others/7 is no operation']);
    expect(check.remarksOnRequest({ ...asked, path: '/things/7' })).toHaveLength(1);
    expect(check.remarksOnRequest({ ...asked, method: 'GET' })).toHaveLength(1);
    expect(check.remarksOnAnswer({ ...answered, status: 404 })).toHaveLength(1);
    expect(check.remarksOnAnswer({ ...answered, status: 204 })).toHaveLength(1);
    expect(check.remarksOnNotification('thing.lost', whole)).toHaveLength(1);
  });
});

describe('the published schemas', () => {
  const standard = new DescriptionCheck(bacenDescription());
  const [payments] = publishedExamples('GET /pix 200');
  const list = { method: 'GET', path: '/v2/pix?inicio=2020-04-01T00:00:00Z&fim=2020-04-02T00:00:00Z', status: 200 };

  test('are shut at every depth, through references and parts', () => {
    const [charge] = publishedExamples('GET /cob/{txid} 200');
    const found = { method: 'GET', path: '/v2/cob/655dfdb1a4514b8fbb58254b958913fb', status: 200 };
    const places = bodiesWithOneMore(charge, 'planted');
    expect(places.map(({ member }) => member)).toContain('.pix[].devolucoes[].horario.planted');
    for (const { member, body } of places) {
      expect(standard.remarksOnAnswer({ ...found, answer: body }).join(), member).toContain('has planted');
    }
  });

  test('know what is optional from what is not', () => {
    const isDescribed = (answer: unknown) => standard.remarksOnAnswer({ ...list, answer }).length === 0;
    const [first] = (payments as { pix: object[] }).pix;
    const answer = { ...(payments as object), pix: [{ ...first, endToEndId: 'E1234567820200909122120200808008' }] };
    const optional = bodiesWithoutOne(answer, isDescribed).map(({ member }) => member);
    expect(optional).toContain('.pix[].txid');
    expect(optional).not.toContain('.pix[].valor');
  });

  test('paging by a name of somebody else is seen', () => {
    const path = `${list.path}&paginacao.paginaAtual=0&skip=0`;
    expect(standard.remarksOnRequest({ method: 'GET', path, request: undefined })).toEqual([
      'GET /pix: the query name skip is not described',
    ]);
    expect(
      new DescriptionCheck(wooviDescription).remarksOnRequest({
        ...{ method: 'GET', path: '/api/v1/dispute?skip=0&limit=100', request: undefined },
      }),
    ).toHaveLength(2);
  });

  test.each(schemaRepairs)('are repaired where they are broken still: $where $fault', ({ at, is }) => {
    expect(publishedAt(at)).toEqual(is);
  });

  test('Woovi: a status of the list is not one of the lookup, and the other way round', () => {
    const woovi = new DescriptionCheck(wooviDescription);
    const found = { method: 'GET', path: '/api/v1/dispute/E1', status: 200 };
    const listed = { ...found, path: '/api/v1/dispute' };
    expect(woovi.remarksOnAnswer({ ...found, answer: { dispute: { status: 'IN_REVIEW' } } })).toHaveLength(1);
    expect(woovi.remarksOnAnswer({ ...listed, answer: { disputes: [{ status: 'CREATED' }] } })).toHaveLength(1);
    expect(woovi.remarksOnAnswer({ ...listed, answer: { disputes: [{ id: '1' }] } })).toHaveLength(1);
  });

  test('Fintoc: every member of an answer is looked at', () => {
    const fintoc = new DescriptionCheck(fintocDescription);
    const transfer = {
      ...{ id: 'tr_1', object: 'transfer', amount: 1, currency: 'MXN', direction: 'outbound' },
      ...{ status: 'succeeded', return_reason: null },
    };
    const found = { method: 'GET', path: '/fintoc/v2/transfers/tr_1', status: 200 };
    expect(fintoc.remarksOnAnswer({ ...found, answer: transfer })).toEqual([]);
    expect(fintoc.remarksOnAnswer({ ...found, answer: bodyWith(transfer, ['status'], 'PAID') })).toHaveLength(1);
  });
});
