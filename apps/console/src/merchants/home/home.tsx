import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { Balances } from '#src/merchants/home/balances.tsx';
import { FirstSteps } from '#src/merchants/home/first-steps.tsx';
import { LatestPayments } from '#src/merchants/home/latest-payments.tsx';
import { OwnVolumes } from '#src/merchants/home/own-volumes.tsx';
import { Pending } from '#src/merchants/home/pending.tsx';
import { ToDo } from '#src/merchants/home/to-do.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import type { Period } from '#src/volumes/totals.ts';
import styles from './home.module.css';

/** What is the merchant's now, when the rest of it comes free, and what waits for the merchant. */
export function Home({ period }: { readonly period: Period }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const seesBalances = may('balances:read');
  return (
    <div className={styles['page']}>
      <title>{`${texts.home.title} · ${texts.product}`}</title>
      <h1>{texts.home.title}</h1>
      {seesBalances ? <Balances /> : null}
      <ToDo />
      <FirstSteps />
      {seesBalances ? <OwnVolumes period={period} /> : null}
      {seesBalances ? <Pending /> : null}
      <LatestPayments />
    </div>
  );
}
