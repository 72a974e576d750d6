import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { client } from '#src/generated/client.gen.ts';
import { Button } from '#src/look/button.tsx';
import { TextField } from '#src/look/field.tsx';
import { saveFile } from '#src/look/save-file.ts';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { proposalIn } from '#src/merchants/approvals/team-approval.ts';
import { BatchTable } from '#src/merchants/payouts/batch-table.tsx';
import { columns, readPayoutRows, rowsMax, type PayoutRow } from '#src/merchants/payouts/payout-rows.ts';
import { usePayoutCosts } from '#src/merchants/payouts/payout-summary.tsx';
import { Money } from '#src/money/money.tsx';
import { Facts } from '#src/records/facts.tsx';
import { ListHead } from '#src/records/list-head.tsx';
import { Failed, Notice } from '#src/records/page-states.tsx';
import page from '#src/records/record-page.module.css';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const reasonLengthMax = 500;
const example = 'salary-2026-11-maria;1.234,56;maria@example.com;Maria da Silva;529.982.247-25;email';

/** A file of payouts as one proposal. Every row is checked here, and all of them by the server, before any is proposed. */
export function ProposeBatch() {
  const { texts } = useMerchantTexts();
  const { batch: words } = texts.payouts;
  const [rows, setRows] = useState<readonly PayoutRow[]>();
  const [filesRead, setFilesRead] = useState(0);
  const latest = useRef<File>(undefined);
  const read = async (file: File | undefined) => {
    latest.current = file;
    // Until this one is read there is nothing to propose: the rows of the file before are not meant any more.
    setRows(undefined);
    const text = await file?.text();
    if (latest.current !== file) return;
    setRows(text === undefined ? undefined : readPayoutRows(text));
    // What was found wrong with the file before says nothing about this one.
    setFilesRead((count) => count + 1);
  };
  const template = () => {
    const text = `\uFEFF${columns.join(';')}\r\n${example}\r\n`;
    saveFile(new Blob([text], { type: 'text/csv' }), 'payouts.csv');
  };
  return (
    <div className={page['page']}>
      <ListHead title={words.title}>
        <Link to="/payouts">{texts.payouts.title}</Link>
        <Button onClick={template}>{words.template}</Button>
      </ListHead>
      <TextField
        label={words.file}
        hint={words.fileHint(rowsMax)}
        type="file"
        accept=".csv,text/csv,text/plain"
        onChange={({ target }) => void read(target.files?.[0])}
      />
      {rows?.length === 0 ? <Notice>{words.empty}</Notice> : null}
      {rows && rows.length > rowsMax ? <Notice>{words.tooMany(rows.length, rowsMax)}</Notice> : null}
      {rows && rows.length > 0 && rows.length <= rowsMax ? <Propose key={filesRead} rows={rows} /> : null}
    </div>
  );
}

function Propose({ rows }: { readonly rows: readonly PayoutRow[] }) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { batch: words, propose } = texts.payouts;
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const payouts = rows.flatMap(({ payout }) => payout ?? []);
  const send = useMutation({
    mutationFn: () => {
      const body = { payouts, ...(reason === '' ? {} : { reason }) };
      return bodyOf(client.post<object>({ url: '/payout-batches', body }));
    },
    onSuccess: async (answer) => {
      const proposal = proposalIn(answer);
      if (proposal) await navigate({ to: '/approvals/$id', params: { id: proposal.id } });
    },
  });
  const { fee, after } = usePayoutCosts(payouts.map(({ amount }) => amount));
  const total = payouts.reduce((sum, { amount }) => sum + amount, 0);
  const wrong = rows.filter(({ payout }) => payout === undefined).length;
  const refused = send.error instanceof Refusal ? send.error.faults : {};
  return (
    <>
      <Facts
        facts={[
          [words.rows, rows.length],
          [words.total, <Money key="total" amount={total} currency="BRL" />],
          [texts.facts.fee, fee === undefined ? null : <Money key="fee" amount={fee} currency="BRL" />],
          [propose.after, after === undefined ? null : <Money key="after" amount={after} currency="BRL" />],
        ]}
      />
      {wrong > 0 ? <Notice>{words.wrong(wrong)}</Notice> : null}
      {after !== undefined && after < 0 ? <Notice>{propose.tooMuch}</Notice> : null}
      <BatchTable rows={rows} refused={refused} />
      {wrong > 0 ? null : (
        <TextField
          label={texts.reasonFor}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          maxLength={reasonLengthMax}
        />
      )}
      {send.error ? <Failed error={send.error} /> : null}
      {wrong > 0 ? null : (
        <p>
          <Button look="primary" busy={send.isPending} onClick={() => send.mutate()}>
            {words.confirm(payouts.length)[environment]}
          </Button>
        </p>
      )}
    </>
  );
}
