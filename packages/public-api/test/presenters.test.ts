import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { conversionSchema } from '@gateway/contracts/conversions';
import { depositSchema, disputeSchema, evidenceFailureSchema, refundSchema } from '@gateway/contracts/deposits';
import { exportSchema } from '@gateway/contracts/exports';
import { apiVersionSchema, messageLanguages } from '@gateway/contracts/values';
import { ledgerEntrySchema, balanceSchema } from '@gateway/contracts/ledger';
import { payoutReturnSchema, payoutSchema } from '@gateway/contracts/payouts';
import { presenters } from '#src/presenters/presenters.ts';
import { shownSchemas } from '#src/presenters/shown-schemas.ts';

/**
 * `golden/records.json`: one set of records as the services know them. `golden/shown-<contract>.json`: each of them as
 * a caller of that contract sees it. What is shown in a contract is a promise, so a change of these files is a change
 * of the interface.
 */
const golden = async (file: string) =>
  JSON.parse(await readFile(new URL(`golden/${file}.json`, import.meta.url), 'utf8')) as Record<string, unknown>;

const recordSchemas = {
  balance: z.array(balanceSchema),
  conversion: conversionSchema,
  deposit: depositSchema,
  dispute: disputeSchema,
  entry: ledgerEntrySchema,
  export: exportSchema,
  payout: payoutSchema,
  refund: refundSchema,
  returnedPayout: z.object({ payout: payoutSchema, return: payoutReturnSchema }),
} as const satisfies Record<keyof typeof shownSchemas, z.ZodType>;

type Kind = keyof typeof recordSchemas;

const records = await golden('records');
const kindOf = (name: string) => name.split(/[ ,]/)[0] as Kind;

test('a failure is shown in words of ours in each language, and one that only a newer sender knows in its words', () => {
  const failed = 'payout of the connector, without a receiver, that failed';
  const payout = payoutSchema.parse(records[failed]);
  const messagesOf = (record: typeof payout) =>
    messageLanguages.map((language) => presenters['1.0'].payout(record, language).failure_message);
  expect(new Set(messagesOf(payout)).size).toBe(messageLanguages.length);
  expect(messagesOf(payout)).not.toContain(payout.failureMessage);
  const ofNewer = { ...payout, failureReason: 'eclipse', failureMessage: 'The sun went out.' };
  expect(new Set(messagesOf(ofNewer))).toEqual(new Set(['The sun went out.']));
  const ofRefund = refundSchema.parse({ ...(records['refund'] as object), failureReason: 'provider_balance' });
  expect(presenters['0.1'].refund(ofRefund, 'pt').failure_message).toContain('o seu saldo era suficiente');
});

test('what became of evidence is said in words of ours in each language, whatever its provider said of it', () => {
  const contested = records['dispute'] as object;
  const refused = { text: 't', urls: [], status: 'REFUSED', sentAt: null, failureMessage: 'documento ilegível' };
  const shown = (failureReason: string | null) => {
    const record = disputeSchema.parse({ ...contested, evidence: [{ ...refused, failureReason }] });
    return apiVersionSchema.options.flatMap((version) =>
      messageLanguages.map((language) => presenters[version].dispute(record, language).evidence[0]?.failure_message),
    );
  };
  for (const failure of evidenceFailureSchema.options) {
    expect(new Set(shown(failure)).size).toBe(messageLanguages.length);
    expect(shown(failure)).not.toContain('documento ilegível');
  }
  expect(new Set(shown(null))).toEqual(new Set([null]));
});

describe.each(apiVersionSchema.options)('contract %s', async (version) => {
  const shown = await golden(`shown-${version}`);

  const show = (name: string, record: unknown) =>
    (presenters[version][kindOf(name)] as (of: unknown) => unknown)(record);
  const present = (name: string) => show(name, recordSchemas[kindOf(name)].parse(records[name]));

  test.each(Object.keys(records))('shows the %s as promised, and as described', (name) => {
    expect(present(name)).toEqual(shown[name]);
    const described: z.ZodType = shownSchemas[kindOf(name)][version];
    expect(described.parse(present(name))).toEqual(shown[name]);
  });

  test.each(Object.keys(records))('shows the %s in the same bytes, in whichever order its members come', (name) => {
    const record: unknown = recordSchemas[kindOf(name)].parse(records[name]);
    expect(JSON.stringify(show(name, turned(record)))).toBe(JSON.stringify(show(name, record)));
  });

  test('shows every kind of record, and promises nothing it does not show', () => {
    expect(new Set(Object.keys(records).map(kindOf))).toEqual(new Set(Object.keys(shownSchemas)));
    expect(Object.keys(shown)).toEqual(Object.keys(records));
  });

  test('names amounts its own way and no other', () => {
    const ofBefore = /"(amount|fee|net|refunded|returned|blocked|available|pending|total|balance_after)_cents":/;
    const ofBeta = /"(amount|fee|net|refunded|returned|available|pending|total|balance_after)":/;
    const foreign = version === '0.1' ? ofBeta : ofBefore;
    for (const name of Object.keys(records)) expect(JSON.stringify(present(name))).not.toMatch(foreign);
  });
});

/** The record as a database may give it back; lists and what merchants gave keep their order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => turned(each));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    members.reverse().map(([name, member]) => [name, name === 'metadata' ? member : turned(member)] as const),
  );
}
