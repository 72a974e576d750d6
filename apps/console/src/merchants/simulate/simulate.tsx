import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { client } from '#src/generated/client.gen.ts';
import type { Currency } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Choice, SelectField } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { AmountField } from '#src/merchants/amount-field.tsx';
import { contract } from '#src/merchants/contract.ts';
import type { Act, ActName } from '#src/merchants/simulate/acts.ts';
import { type Program, programs, type TestCall, textOf } from '#src/merchants/simulate/describe-call.ts';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { Block } from '#src/records/block.tsx';
import { SectionName } from '#src/records/page-name.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './simulate.module.css';

interface SimulateProps {
  /** What can happen now; with none of them nothing is shown. */
  readonly acts: readonly Act[];
  /** What it takes of the person. */
  readonly takes: 'charges:write' | 'webhooks:write';
  /** Of the amount, where a part of it may be meant. */
  readonly currency?: Currency;
  /** Of what is read again afterwards. */
  readonly queryKey: readonly string[];
  readonly onDone?: (answer: Answered) => void;
}

/** What of an answer says which record it is. */
interface Answered {
  readonly object?: string;
  readonly id?: string;
}

/** What the world would do to a record of test mode, made to happen by a click, with the same call for programs beside it. */
export function Simulate(props: SimulateProps) {
  const { acts, takes } = props;
  const { may, environment } = useWorkplace();
  if (environment !== 'test' || acts.length === 0 || !may(takes)) return null;
  // Another state of the record is another form.
  return <SimulateForm key={acts.map(({ name }) => name).join()} {...props} />;
}

function SimulateForm({ acts, currency = 'BRL', queryKey, onDone }: SimulateProps) {
  const { texts } = useMerchantTexts();
  const { simulate: words } = texts;
  const queries = useQueryClient();
  const [name, choose] = useState<ActName | undefined>(acts[0]?.name);
  const [amount, type] = useState('');
  const act = acts.find((each) => each.name === name) ?? acts[0];
  const units = act?.takesAmount === true ? typedMinorUnits(amount, currency) : undefined;
  const call = act && { ...act, body: { ...act.body, ...(units === undefined ? {} : { amount: units }) } };
  const send = useMutation({
    mutationFn: ({ path: url, body }: TestCall) => bodyOf(client.post<Answered>({ url, body, headers: contract })),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  if (!call) return null;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const isAmount = call.takesAmount !== true || amount === '' || units !== undefined;
    if (isAmount && !send.isPending) send.mutate(call);
  };
  return (
    <section className={styles['simulate']} aria-label={words.title}>
      <SectionName>{words.title}</SectionName>
      <div className={styles['sides']}>
        <form onSubmit={submit}>
          <Choice
            label={words.what}
            name="simulated"
            value={call.name}
            onChange={choose}
            options={acts.map((each) => ({ value: each.name, ...words.acts[each.name] }))}
          />
          {call.takesAmount === true ? (
            <AmountField
              value={amount}
              currency={currency}
              hint={words.whole}
              fault={send.error instanceof Refusal ? send.error.faults['amount'] : undefined}
              onType={type}
            />
          ) : null}
          {send.error ? <Failed error={send.error} /> : null}
          <p>
            <Button type="submit" busy={send.isPending}>
              {words.confirm}
            </Button>
          </p>
        </form>
        <SameCall call={call} />
      </div>
    </section>
  );
}

/** What a program calls to the same end. */
function SameCall({ call }: { readonly call: TestCall }) {
  const { texts } = useMerchantTexts();
  const { simulate: words } = texts;
  const [program, choose] = useState<Program>('curl');
  const [copied, setCopied] = useState('');
  const text = textOf(program, call);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <div>
      <SelectField
        label={words.sameCall}
        options={Object.entries(programs).map(([value, label]) => ({ value: value as Program, label }))}
        value={program}
        onChange={choose}
      />
      <Block label={words.sameCall}>{text}</Block>
      <p>
        <Button onClick={copy}>{texts.copy.copy(programs[program])}</Button>{' '}
        <span role="status">{copied === text ? texts.copy.copied : ''}</span>
      </p>
    </div>
  );
}
