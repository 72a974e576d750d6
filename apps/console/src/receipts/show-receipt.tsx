import { Act } from '#src/changes/act.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { ResolveReturn } from '#src/changes/resolve-return.tsx';
import { getOrphanReceipt, retryOrphanReceipt, retryOrphanReceiptLookup } from '#src/generated/sdk.gen.ts';
import type { OrphanReceipt } from '#src/generated/types.gen.ts';
import { formatMoney } from '#src/money/format-money.ts';
import { receiptToneOf } from '#src/receipts/describe-receipt.ts';
import { AccountLink } from '#src/records/account-link.tsx';
import { Attention } from '#src/records/attention.tsx';
import { Facts } from '#src/records/facts.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordName } from '#src/records/record-name.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime } from '#src/texts/time.ts';

/** One receipt without a deposit: why it has none, and whether it went back. */
export function ShowReceipt({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { receipts } = texts;
  return (
    <ShowRecord
      queryKey={['orphan-receipt', id]}
      read={(signal, headers) => bodyOf(getOrphanReceipt({ path: { id }, signal, headers }))}
      heading={({ orphan_receipt: receipt }) => (
        <RecordHeading
          kind={receipts.one}
          record={receipt}
          tone={receiptToneOf[receipt.state]}
          state={receipts.state[receipt.state]}
        />
      )}
    >
      {({ orphan_receipt: receipt }) => (
        <>
          {receipt.attention === null || receipt.attention_at === null ? null : (
            <Attention reason={receipts.attention[receipt.attention]} since={receipt.attention_at} />
          )}
          <Actions receipt={receipt} />
          <ReceiptFacts receipt={receipt} />
        </>
      )}
    </ShowRecord>
  );
}

function Actions({ receipt }: { readonly receipt: OrphanReceipt }) {
  const { texts, language } = useOperatorTexts();
  const may = useMay();
  const { id, state, amount_cents: amount, currency } = receipt;
  const path = { id };
  const { refunds, receipts } = texts;
  const outcomes = {
    done: { value: 'done', label: refunds.resolve.done, about: receipts.resolve.doneAbout },
    failed: { value: 'failed', label: refunds.resolve.failed, about: receipts.resolve.failedAbout },
  } as const;
  return (
    <Changes>
      {state === 'FAILED' && may('operations:write') ? (
        <Act label={texts.receipts.retry} look="primary" send={() => bodyOf(retryOrphanReceipt({ path }))} />
      ) : null}
      {state === 'RETURNING' && may('operations:write') ? (
        <Act
          label={texts.records.lookUp}
          send={() => bodyOf(retryOrphanReceiptLookup({ path }))}
          done={() => texts.records.lookedUp}
        />
      ) : null}
      <ResolveReturn
        id={id}
        amount={formatMoney(amount, currency, language)}
        outcomes={receipt.outcomes.map((value) => outcomes[value])}
      />
    </Changes>
  );
}

function ReceiptFacts({ receipt }: { readonly receipt: OrphanReceipt }) {
  const { texts, language } = useOperatorTexts();
  const { receipts, facts, records } = texts;
  const { return_id: returnId } = receipt;
  return (
    <Facts
      facts={[
        [facts.account, <AccountLink key="account" id={receipt.account_id} />],
        [facts.environment, texts.environment[receipt.environment]],
        [receipts.cause, receipts.causes[receipt.cause]],
        [receipts.deposit, <RecordName key="deposit" kind="deposit" id={receipt.deposit_id} />],
        [facts.provider, receipt.provider],
        [facts.e2eId, <RecordId key="e2e" id={receipt.e2e_id} />],
        [records.attempts, receipt.attempts],
        [records.failure, receipt.failure],
        [records.returnId, returnId === null ? null : <RecordId key="return" id={returnId} />],
        [receipts.paidAt, formatTime(new Date(receipt.paid_at), language)],
      ]}
    />
  );
}
