import { useQuery } from '@tanstack/react-query';
import { getProviderTotals } from '#src/generated/sdk.gen.ts';
import type { Provider, ProviderBalance } from '#src/generated/types.gen.ts';
import { hoursLeft } from '#src/providers/describe-provider.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { queryOf, volumesByProvider } from '#src/volumes/totals.ts';

interface LastsProps {
  readonly provider: Provider;
  readonly balance: ProviderBalance;
}

/** For how long what a provider holds is enough, if the next hours are as the last 24 were. */
export function Lasts({ provider: { id, environment }, balance: { held_cents: held, currency } }: LastsProps) {
  const { texts, language } = useOperatorTexts();
  const { lasts: words } = texts.providers;
  const may = useMay();
  const { data } = useQuery({
    queryKey: ['provider', environment, id, 'day'],
    enabled: may('balances:read'),
    queryFn: async ({ signal }) => {
      const query = { ...queryOf('day', new Date()), environment };
      const all = volumesByProvider((await bodyOf(getProviderTotals({ query, signal }))).data);
      return all.filter(({ provider }) => provider === id);
    },
  });
  if (held === null || !data) return '–';
  const amountOf = (way: 'in' | 'out') =>
    data.find((each) => each.direction === way && each.currency === currency)?.amount ?? 0;
  const hours = hoursLeft(held, { in: amountOf('in'), out: amountOf('out') });
  return hours === null ? words.grows : words.hours(new Intl.NumberFormat(language).format(hours));
}
