import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listDeposits } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import type { PaymentsQuery } from '#src/merchants/addresses.ts';
import { contract } from '#src/merchants/contract.ts';
import { MoreRecordFilters, ownZone, RecordFilters, rowsPerPage } from '#src/merchants/list-filters.tsx';
import { OwnListCsv } from '#src/merchants/own-list-csv.tsx';
import { NewPayment } from '#src/merchants/payments/new-payment.tsx';
import { PaymentTable } from '#src/merchants/payments/payment-table.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

/** The payments of the account, newest first. */
export function ListPayments({ query }: { readonly query: PaymentsQuery }) {
  const { texts } = useMerchantTexts();
  const { payments, records } = texts;
  const { may } = useWorkplace();
  const [isOpen, setOpen] = useState(false);
  const isFiltered = Object.keys(query).length > 0;
  const asked = { ...query, limit: rowsPerPage, zone: ownZone() };
  const actions = (
    <>
      {may('webhooks:write') ? <Link to="/branding">{texts.branding.title}</Link> : null}
      {may('charges:write') ? (
        <Button look="primary" onClick={() => setOpen(true)}>
          {payments.create.open}
        </Button>
      ) : null}
    </>
  );
  return (
    <div>
      <ListHead title={payments.title} actions={actions}>
        <RecordFilters query={query} words={payments.status} />
        <OwnListCsv
          name="payments"
          read={() => bodyOf(listDeposits({ ...wholeList({ ...query, zone: ownZone() }), headers: contract }))}
        />
      </ListHead>
      <MoreRecordFilters
        query={query}
        document="payer_document"
        more={[{ name: 'metadata', label: payments.metadata, kind: 'text' }]}
      />
      <RecordList
        name="payments"
        follows={['deposit.']}
        query={query}
        read={(signal) => bodyOf(listDeposits({ query: asked, headers: contract, signal }))}
        empty={() => (isFiltered ? records.empty : payments.first)}
      >
        {(rows) => <PaymentTable rows={rows} />}
      </RecordList>
      <NewPayment open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}
