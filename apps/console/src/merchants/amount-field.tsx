import { TextField } from '#src/look/field.tsx';
import type { Currency } from '#src/generated/merchants/types.gen.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { typedMinorUnits } from '#src/money/minor-units.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface AmountFieldProps {
  /** As it was typed. */
  readonly value: string;
  readonly currency: Currency;
  /** What to type; once it is an amount, the amount is shown instead. */
  readonly hint: string;
  /** What the server found wrong with it. */
  readonly fault: string | undefined;
  readonly onType: (amount: string) => void;
  readonly required?: boolean;
}

/** An amount of money, typed in any usual form. */
export function AmountField({ value, currency, hint, fault, onType, required = false }: AmountFieldProps) {
  const { texts, language } = useMerchantTexts();
  const units = typedMinorUnits(value, currency);
  return (
    <TextField
      label={texts.facts.amount}
      hint={units === undefined ? hint : formatMoney(units, currency, language)}
      inputMode="decimal"
      value={value}
      onChange={({ target }) => onType(target.value)}
      fault={value !== '' && units === undefined ? texts.payments.create.noAmount : fault}
      required={required}
    />
  );
}
