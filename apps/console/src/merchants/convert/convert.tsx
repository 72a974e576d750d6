import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { createConversion, createQuote, listConversions } from '#src/generated/merchants/sdk.gen.ts';
import type { Conversion, Quote } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { SelectField } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { AmountField } from '#src/merchants/amount-field.tsx';
import { contract } from '#src/merchants/contract.ts';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { Money } from '#src/money/money.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Failed, Notice } from '#src/records/page-states.tsx';
import page from '#src/records/record-page.module.css';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './convert.module.css';

const headers = contract;
const sources = ['BRL', 'MXN'] as const;
const tickMs = 250;
const secondMs = 1_000;

/** Exchanges money of the balance into USDT: a rate is held for some seconds, and accepted or left. */
export function Convert() {
  const { texts } = useMerchantTexts();
  const { convert: words } = texts;
  const [from, setFrom] = useState<(typeof sources)[number]>('BRL');
  const [typed, setTyped] = useState('');
  const amount = typedMinorUnits(typed, from);
  const ask = useMutation({
    mutationFn: () => bodyOf(createQuote({ body: { from, to: 'USDT', amount: amount ?? 0 }, headers })),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!ask.isPending && amount !== undefined) ask.mutate();
  };
  return (
    <div className={page['page']}>
      <title>{`${words.title} · ${texts.product}`}</title>
      <h1>{words.title}</h1>
      <p>{words.about}</p>
      <form className={styles['form']} onSubmit={submit}>
        <SelectField
          label={words.from}
          options={sources.map((value) => ({ value, label: value }))}
          value={from}
          onChange={setFrom}
        />
        <AmountField
          value={typed}
          currency={from}
          hint={texts.payments.create.amountHint}
          fault={ask.error instanceof Refusal ? ask.error.faults['amount'] : undefined}
          onType={setTyped}
          required
        />
        <Button type="submit" look={ask.data ? 'plain' : 'primary'} busy={ask.isPending}>
          {words.ask}
        </Button>
      </form>
      {ask.error ? <Failed error={ask.error} /> : null}
      {ask.data ? <Accept key={ask.data.id} quote={ask.data} /> : null}
    </div>
  );
}

/**
 * Converts at the quote, or finds the conversion of that reference: when no answer came it may have been made all the same.
 */
async function convertAt({ id }: Quote): Promise<Conversion> {
  const reference = `console ${id}`;
  try {
    return (await bodyOf(createConversion({ body: { external_id: reference, quote_id: id }, headers }))).conversion;
  } catch (error) {
    if (!(error instanceof Refusal) || !error.isUnknown) throw error;
    const { data } = await bodyOf(listConversions({ query: { external_id: reference }, headers }));
    const [made] = data;
    if (!made) throw error;
    return made;
  }
}

function Accept({ quote }: { readonly quote: Quote }) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { convert: words } = texts;
  const queries = useQueryClient();
  const left = useSecondsUntil(quote.expires_at);
  const accept = useMutation({
    mutationFn: () => convertAt(quote),
    onSettled: () => queries.invalidateQueries({ queryKey: ['balance'] }),
  });
  const { from, to } = quote;
  return (
    <section className={styles['quote']}>
      <Facts
        facts={[
          [words.gives, <Money key="from" amount={quote.from_amount} currency={from} />],
          [words.takes, <Money key="to" amount={quote.to_amount} currency={to} />],
          [words.rate, `${quote.rate} ${from}/${to}`],
        ]}
      />
      {accept.error ? <Failed error={accept.error} /> : null}
      {accept.data ? <p role="status">{words.done}</p> : null}
      {!accept.data && left === 0 ? <Notice>{words.over}</Notice> : null}
      {accept.data || left === 0 ? null : (
        <p className={styles['accept']}>
          <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate()}>
            {words.accept[environment]}
          </Button>
          <span>{words.left(left)}</span>
        </p>
      )}
    </section>
  );
}

/** Whole seconds until a moment in Unix seconds, counted down; 0 once it is over. */
function useSecondsUntil(at: number): number {
  const secondsLeft = () => Math.max(0, Math.ceil(at - Date.now() / secondMs));
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil(at - Date.now() / secondMs))), tickMs);
    return () => clearInterval(timer);
  }, [at]);
  return left;
}
