import { useQuery } from '@tanstack/react-query';
import { Change } from '#src/changes/change.tsx';
import { Selected } from '#src/changes/fields.tsx';
import { textIn } from '#src/changes/typed.ts';
import { createStatementMapping, listProviders } from '#src/generated/sdk.gen.ts';
import type { Currency } from '#src/generated/types.gen.ts';
import { FieldGroup, TextArea, TextField } from '#src/look/field.tsx';
import { exponents } from '#src/money/format-money.ts';
import { dateFormats, decimals, delimiters, encodings, mappingIn } from '#src/reconciliation/describe-mapping.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

const currencies = Object.keys(exponents) as Currency[];
const optional = ['id', 'type', 'text', 'e2e', 'balance'] as const;
const columnLengthMax = 80;
const same = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

/** Proposes how the CSV of a bank is read, for another operator to approve; until then it serves dry runs alone. */
export function ProposeMapping() {
  const { texts } = useOperatorTexts();
  const { mapping: words, facts, list } = texts;
  const { data } = useQuery({
    queryKey: ['providers'],
    queryFn: ({ signal }) => bodyOf(listProviders({ signal })),
  });
  const live = (data?.data ?? []).filter(({ environment }) => environment === 'live').map(({ id }) => id);
  const [first] = live;
  const send = (typed: FormData) =>
    bodyOf(
      createStatementMapping({
        body: {
          provider: textIn(typed, 'provider'),
          mapping: mappingIn(typed, currencies),
          reason: textIn(typed, 'reason'),
        },
      }),
    );
  if (first === undefined) return null;
  return (
    <Change
      open={words.open}
      title={words.title}
      about={words.about}
      confirm={texts.providers.changeFunds.confirm}
      hasReason
      send={send}
    >
      <Selected name="provider" label={facts.provider} options={same(live)} initial={first} />
      <Selected name="currency" label={list.currency} options={same(currencies)} initial="BRL" />
      <Selected name="delimiter" label={words.delimiter} options={same(delimiters)} initial=";" />
      <Selected name="encoding" label={words.encoding} options={same(encodings)} initial="utf-8" />
      <TextField name="header_line" label={words.headerLine} type="number" min={1} max={50} defaultValue="1" required />
      <TextField name="date" label={words.date} maxLength={columnLengthMax} autoComplete="off" required />
      <Selected name="date_format" label={words.dateFormat} options={same(dateFormats)} initial="DD/MM/YYYY" />
      <TextField name="zone" label={words.zone} defaultValue="America/Sao_Paulo" autoComplete="off" required />
      <TextField name="amount" label={words.amount} maxLength={columnLengthMax} autoComplete="off" required />
      <Selected name="decimal" label={words.decimal} options={same(decimals)} initial="," />
      <TextField name="sign" label={words.sign} hint={words.signHint} maxLength={columnLengthMax} autoComplete="off" />
      <TextArea name="credit" label={words.credit} hint={words.oneALine} rows={2} />
      <TextArea name="debit" label={words.debit} hint={words.oneALine} rows={2} />
      <FieldGroup label={words.others}>
        {optional.map((name) => (
          <TextField
            key={name}
            name={name}
            label={words.columns[name]}
            maxLength={columnLengthMax}
            autoComplete="off"
          />
        ))}
      </FieldGroup>
    </Change>
  );
}
