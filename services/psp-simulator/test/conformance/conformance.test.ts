import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askOfBacen, askOfFintoc, askOfWoovi } from './calls-beside-adapters.ts';
import { describedProviders } from './described-providers.ts';
import type { Sample } from './description.ts';
import { driveEverything } from './flows.ts';
import { DescriptionCheck } from './description-check.ts';
import { RecordedBench } from './recorded-bench.ts';

let recorded: RecordedBench;
beforeAll(async () => {
  recorded = await RecordedBench.start();
  for (const { id } of describedProviders) {
    if (id === 'woovi') await askOfWoovi(recorded);
    await driveEverything(recorded.bench, id);
    if (id === 'spei') await askOfFintoc(recorded);
    if (id === 'efi' || id === 'bacen') await askOfBacen(recorded, id);
  }
});
afterAll(async () => recorded[Symbol.asyncDispose]());

const distinct = (remarks: readonly string[]) => [...new Set(remarks)].sort();

/** Woovi's dispute events have two prefixes: one of them is sent. */
const withoutPrefix = (kind: string) => kind.replace(/^woovi:|^OPENPIX:/, '');

describe.each(describedProviders)('at $id', ({ id, spoken, answered, kindOf }) => {
  const check = { spoken: new DescriptionCheck(spoken), answered: new DescriptionCheck(answered) };

  test('every request of the adapter is described: path, query, members, words', () => {
    const { exchanges } = recorded.recorder(id);
    expect(exchanges.length).toBeGreaterThan(30);
    expect(distinct(exchanges.flatMap((exchange) => check.spoken.remarksOnRequest(exchange)))).toEqual([]);
  });

  test('every answer of the simulator is described: status, members, types, words', () => {
    const { exchanges } = recorded.recorder(id);
    expect(distinct(exchanges.flatMap((exchange) => check.answered.remarksOnAnswer(exchange)))).toEqual([]);
  });

  test('every notification of the simulator is described, and understood by the adapter', () => {
    const received = recorded.bench.received.filter(({ provider }) => provider === id);
    const remarks = received.flatMap(({ body }) => {
      const content: unknown = JSON.parse(body);
      return check.answered.remarksOnNotification(kindOf(content), content);
    });
    expect(distinct(remarks)).toEqual([]);
    expect(received.filter(({ ok }) => !ok)).toEqual([]);
    expect(received.flatMap(({ events }) => events.filter(({ type }) => type === 'unreadable'))).toEqual([]);
  });

  test('nothing that is described was left out', () => {
    const asked = new Set(recorded.recorder(id).exchanges.map((exchange) => check.spoken.operationOf(exchange)));
    expect(check.spoken.operations.filter((name) => !asked.has(name))).toEqual([]);
    const bodies = recorded.bench.received.flatMap(({ provider, body }) =>
      provider === id ? [withoutPrefix(kindOf(JSON.parse(body)))] : [],
    );
    const kinds = Object.keys(spoken.notifications).map(withoutPrefix);
    expect(kinds.filter((kind) => !bodies.includes(kind))).toEqual([]);
  });
});

const repairs = describedProviders
  .filter(({ id }) => id !== 'bacen')
  .flatMap(({ answered: description }) => description.repairs.map((repair) => ({ description, ...repair })));

test.each(repairs)('repaired: $where, $fault: $repaired', ({ description, repaired, allows }) => {
  expect(repaired).not.toBe('');
  if (!allows) return;
  const check = new DescriptionCheck(description);
  expect(remarksOnSample(check, allows)).toEqual([]);
});

function remarksOnSample(check: DescriptionCheck, sample: Sample): string[] {
  if ('kind' in sample) return check.remarksOnNotification(sample.kind, sample.body);
  const [method = '', path = ''] = sample.call.split(' ');
  const { status, body } = sample;
  if (status === undefined) return check.remarksOnRequest({ method, path, request: body });
  return check.remarksOnAnswer({ method, path, status, answer: body });
}
