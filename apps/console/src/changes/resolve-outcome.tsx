import type { ReactNode } from 'react';
import { Change } from '#src/changes/change.tsx';
import { Chosen } from '#src/changes/fields.tsx';
import { oneOf, textIn } from '#src/changes/typed.ts';
import { TextArea } from '#src/look/field.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface Outcome<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** What follows from it. */
  readonly about: string;
}

interface ResolveOutcomeProps<Value extends string> {
  /** What it is about, in money. */
  readonly amount: string;
  /** Those that the record allows as it is; without one nothing is offered. */
  readonly outcomes: readonly Outcome<Value>[];
  /** Further fields, each with its name. */
  readonly children?: ReactNode;
  readonly send: (stated: { readonly outcome: Value; readonly evidence: string }, typed: FormData) => Promise<unknown>;
}

const evidenceLengthMax = 2_000;

/** States what became of money of which its provider does not say so: one person proposes it, and another approves it. */
export function ResolveOutcome<Value extends string>(props: ResolveOutcomeProps<Value>) {
  const { amount, outcomes, children, send } = props;
  const { texts } = useOperatorTexts();
  const { resolve } = texts.payouts;
  const may = useMay();
  if (outcomes.length === 0 || !may('money:propose')) return null;
  const values = outcomes.map(({ value }) => value);
  return (
    <Change
      open={resolve.open}
      title={resolve.title}
      about={resolve.about(amount)}
      confirm={resolve.propose}
      send={(typed) => send({ outcome: oneOf(typed, 'outcome', values), evidence: textIn(typed, 'evidence') }, typed)}
    >
      <Chosen name="outcome" label={resolve.outcome} options={outcomes} />
      {children}
      <TextArea
        name="evidence"
        label={resolve.evidence}
        hint={resolve.evidenceHint}
        maxLength={evidenceLengthMax}
        required
      />
    </Change>
  );
}
