import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelDeposit, simulateDepositPayment } from '#src/generated/merchants/sdk.gen.ts';
import type { Deposit } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import { CancelRecord } from '#src/merchants/cancel-record.tsx';
import { RefundPayment } from '#src/merchants/payments/refund-payment.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './payment-actions.module.css';

interface PaymentActionsProps {
  readonly deposit: Deposit;
  readonly queryKey: readonly string[];
}

/** What can be done with a payment that waits: hand its link to the payer, call it off, and in test mode pay it. */
export function PaymentActions({ deposit, queryKey }: PaymentActionsProps) {
  const { texts } = useMerchantTexts();
  const { may, environment } = useWorkplace();
  const queries = useQueryClient();
  const { id } = deposit;
  const pay = useMutation({
    mutationFn: () => bodyOf(simulateDepositPayment({ path: { id }, headers: contract, body: {} })),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  const { error } = pay;
  if (deposit.status === 'PAID' && may('money:propose')) {
    return (
      <section className={styles['actions']}>
        <div className={styles['buttons']}>
          <RefundPayment deposit={deposit} queryKey={queryKey} />
        </div>
      </section>
    );
  }
  if (deposit.status !== 'PENDING') return error ? <Failed error={error} /> : null;
  return (
    <section className={styles['actions']}>
      {deposit.payment_url === null ? null : (
        <p className={styles['link']}>
          <span>{texts.payments.link}</span>
          <RecordId id={deposit.payment_url} />
        </p>
      )}
      {may('charges:write') ? (
        <div className={styles['buttons']}>
          {environment === 'test' ? (
            <Button look="primary" busy={pay.isPending} onClick={() => pay.mutate()}>
              {texts.payments.simulate}
            </Button>
          ) : null}
          <CancelRecord
            words={texts.payments.call}
            send={() => bodyOf(cancelDeposit({ path: { id }, headers: contract }))}
            queryKey={queryKey}
          />
        </div>
      ) : null}
      {error ? <Failed error={error} /> : null}
    </section>
  );
}
