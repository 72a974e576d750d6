import { Act } from '#src/changes/act.tsx';
import { Change } from '#src/changes/change.tsx';
import { Chosen, MoneyField } from '#src/changes/fields.tsx';
import { amountIn, oneOf, textIn } from '#src/changes/typed.ts';
import { updateEnvironmentProvider } from '#src/generated/sdk.gen.ts';
import type { Provider, ProviderBalance, ProviderChange } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { othersOf } from '#src/providers/describe-provider.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface OfProvider {
  readonly provider: Provider;
}

const weightMax = 10_000;
const directions = ['in', 'out'] as const;

function save({ environment, id }: Provider, body: ProviderChange) {
  return bodyOf(updateEnvironmentProvider({ path: { environment, id }, body }));
}

/** At once, by one person: what goes elsewhere then is known before. */
export function SwitchOff({ provider, all }: OfProvider & { readonly all: readonly Provider[] }) {
  const { texts, language } = useOperatorTexts();
  const { switchOff } = texts.providers;
  const others = othersOf(provider, all);
  const names = new Intl.ListFormat(language).format(others);
  return (
    <Change
      open={switchOff.open}
      look="danger"
      title={switchOff.title(provider.id)}
      about={others.length === 0 ? switchOff.nobody : switchOff.about(names)}
      confirm={switchOff.confirm}
      send={() => save(provider, { enabled: false })}
    />
  );
}

export function SwitchOn({ provider }: OfProvider) {
  const { texts } = useOperatorTexts();
  return <Act label={texts.providers.switchOn} look="primary" send={() => save(provider, { enabled: true })} />;
}

export function ChangeWeight({ provider }: OfProvider) {
  const { texts } = useOperatorTexts();
  const { changeWeight, weight } = texts.providers;
  return (
    <Change
      open={changeWeight.open}
      title={changeWeight.title}
      about={changeWeight.about}
      confirm={changeWeight.confirm}
      hasReason
      send={(typed) => save(provider, { weight: Number(textIn(typed, 'weight')), reason: textIn(typed, 'reason') })}
    >
      <TextField
        name="weight"
        label={weight}
        type="number"
        min={0}
        max={weightMax}
        defaultValue={String(provider.weight)}
        required
      />
    </Change>
  );
}

/** Proposes what of a provider's balance is our own money: the difference is what neither it nor the books explain. */
export function ChangeFunds({ provider, balance }: OfProvider & { readonly balance: ProviderBalance }) {
  const { texts, language } = useOperatorTexts();
  const { providers } = texts;
  const { changeFunds } = providers;
  const { currency, own_funds_cents: now, difference_cents: difference } = balance;
  const money = (amount: number | null) => (amount === null ? '–' : formatMoney(amount, currency, language));
  const send = (typed: FormData) => {
    const amount = amountIn(typed, 'amount', currency) ?? 0;
    const isOut = oneOf(typed, 'direction', directions) === 'out';
    const own_funds = { currency, amount_cents: isOut ? -amount : amount };
    return save(provider, { own_funds, reason: textIn(typed, 'reason') });
  };
  return (
    <Change
      open={`${changeFunds.open} ${currency}`}
      title={changeFunds.title}
      about={`${changeFunds.about} ${changeFunds.now(money(now), money(difference))}`}
      confirm={changeFunds.confirm}
      hasReason
      send={send}
    >
      <Chosen
        name="direction"
        label={changeFunds.direction}
        options={[
          { value: 'in', label: changeFunds.paidIn },
          { value: 'out', label: changeFunds.takenOut },
        ]}
        initial={now !== null && now < 0 ? 'out' : 'in'}
      />
      <MoneyField
        name="amount"
        label={texts.facts.amount}
        currency={currency}
        now={now === null ? null : Math.abs(now)}
        required
      />
    </Change>
  );
}
