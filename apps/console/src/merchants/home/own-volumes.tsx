import { useNavigate } from '@tanstack/react-router';
import { getTotals } from '#src/generated/merchants/sdk.gen.ts';
import { contract } from '#src/merchants/contract.ts';
import { BalanceOverTime } from '#src/merchants/home/balance-over-time.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import type { Period } from '#src/volumes/totals.ts';
import { Volumes } from '#src/volumes/volumes.tsx';

/** What was paid to the merchant and by the merchant, over time. The period is in the address. */
export function OwnVolumes({ period }: { readonly period: Period }) {
  const navigate = useNavigate();
  return (
    <Volumes
      name="own"
      period={period}
      onPeriod={(chosen) => void navigate({ to: '/', search: { period: chosen } })}
      read={(query, signal, headers) => bodyOf(getTotals({ query, headers: { ...contract, ...headers }, signal }))}
      beside={<BalanceOverTime period={period} />}
    />
  );
}
