import { type ComponentProps, useState } from 'react';
import type { Currency } from '#src/generated/types.gen.ts';
import { Choice, SelectField, TextField } from '#src/look/field.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { typedAmount } from '#src/money/minor-units.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface ChosenProps<Value extends string> {
  readonly name: string;
  readonly label: string;
  readonly options: ComponentProps<typeof Choice<Value>>['options'];
  readonly initial?: Value;
}

/** One of few, all visible, under a name of the form. */
export function Chosen<Value extends string>({ initial, ...rest }: ChosenProps<Value>) {
  const [value, choose] = useState<Value | undefined>(initial);
  return <Choice {...rest} value={value} onChange={choose} />;
}

interface SelectedProps<Value extends string> {
  readonly name: string;
  readonly label: string;
  readonly options: ComponentProps<typeof SelectField<Value>>['options'];
  readonly initial: Value;
}

/** One of several, under a name of the form. */
export function Selected<Value extends string>({ name, initial, ...rest }: SelectedProps<Value>) {
  const [value, choose] = useState<Value>(initial);
  return (
    <>
      <input type="hidden" name={name} value={value} />
      <SelectField {...rest} value={value} onChange={choose} />
    </>
  );
}

interface MoneyFieldProps {
  readonly name: string;
  readonly label: string;
  readonly currency: Currency;
  /** What is there now, in the smallest unit; the field begins with it. */
  readonly now?: number | null;
  readonly hint?: string;
  readonly required?: boolean;
}

/** An amount from zero on, typed in any usual form; what is read of it stands below it. */
export function MoneyField({ name, label, currency, now = null, hint, required = false }: MoneyFieldProps) {
  const { texts, language } = useOperatorTexts();
  const [typed, type] = useState(now === null ? '' : formatMoney(now, currency, language));
  const units = typedAmount(typed, currency);
  const isWrong = typed.trim() !== '' && units === undefined;
  const about = units === undefined ? (hint ?? texts.changes.amountHint) : formatMoney(units, currency, language);
  return (
    <TextField
      name={name}
      label={label}
      hint={about}
      fault={isWrong ? texts.changes.noAmount : undefined}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      onChange={({ target }) => {
        const isAmount = target.value.trim() === '' || typedAmount(target.value, currency) !== undefined;
        target.setCustomValidity(isAmount ? '' : texts.changes.noAmount);
        type(target.value);
      }}
      required={required}
    />
  );
}

const referenceLengthMax = 64;

/** A reference of another system, by which the same is entered once. */
export function ReferenceField(field: { readonly name: string; readonly label: string; readonly hint: string }) {
  return <TextField {...field} maxLength={referenceLengthMax} autoComplete="off" required />;
}
