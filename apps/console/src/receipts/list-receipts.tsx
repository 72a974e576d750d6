import { Link, useNavigate } from '@tanstack/react-router';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { listOrphanReceipts } from '#src/generated/sdk.gen.ts';
import type { ListOrphanReceiptsData, OrphanReceipt } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { receiptToneOf } from '#src/receipts/describe-receipt.ts';
import { AccountLink } from '#src/records/account-link.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { shortId } from '#src/records/short-id.ts';
import { stuckColumn } from '#src/records/stuck-since.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime } from '#src/texts/time.ts';

export type ReceiptsQuery = NonNullable<ListOrphanReceiptsData['query']>;

const states = Object.keys(receiptToneOf) as OrphanReceipt['state'][];

/** Payments that belong to no open deposit, newest first; they go back to their payers. */
export function ListReceipts({ query }: { readonly query: ReceiptsQuery }) {
  const { texts } = useOperatorTexts();
  const { receipts, records } = texts;
  const navigate = useNavigate();
  const { cursor: _, state, attention, ...rest } = query;
  const filter = (change: ReceiptsQuery) => void navigate({ to: '/orphan-receipts', search: { ...rest, ...change } });
  const kept = state === undefined ? {} : { state };
  return (
    <>
      <ListHead title={receipts.title}>
        <StateFilter
          states={states}
          words={receipts.state}
          chosen={state}
          onChoose={(chosen) => filter({ ...(attention ? { attention } : {}), ...(chosen ? { state: chosen } : {}) })}
        />
        <label>
          <input
            type="checkbox"
            checked={attention === 'true'}
            onChange={({ target }) => filter({ ...kept, ...(target.checked ? { attention: 'true' } : {}) })}
          />
          <span>{records.stuck}</span>
        </label>
        <ListCsv name="orphan-receipts" read={() => bodyOf(listOrphanReceipts(wholeList(query)))} />
      </ListHead>
      <RecordList
        name="orphan-receipts"
        query={query}
        read={(signal) => bodyOf(listOrphanReceipts({ query, signal }))}
        empty={(checkedAt) => (attention === 'true' ? records.nothingStuck(checkedAt) : records.empty)}
      >
        {(rows, now) => <ReceiptTable rows={rows} now={now} />}
      </RecordList>
    </>
  );
}

function ReceiptTable({ rows, now }: { readonly rows: readonly OrphanReceipt[]; readonly now: Date }) {
  const { texts, language } = useOperatorTexts();
  const { receipts, facts } = texts;
  return (
    <RecordTable
      caption={receipts.title}
      rows={rows}
      keyOf={({ id }) => id}
      besideOf={({ id }) => `receipt.${id}`}
      columns={[
        {
          heading: facts.record,
          show: ({ id, environment }) => (
            <>
              <Link to="/orphan-receipts/$id" params={{ id }}>
                <code title={id}>{shortId(id)}</code>
              </Link>{' '}
              <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        {
          heading: facts.status,
          show: ({ state }) => <Status tone={receiptToneOf[state]} word={receipts.state[state]} />,
        },
        {
          heading: facts.amount,
          align: 'right',
          show: ({ amount_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
        },
        { heading: receipts.cause, show: ({ cause }) => receipts.causes[cause] },
        { heading: facts.provider, inCards: 'left out', show: ({ provider }) => provider },
        { heading: facts.account, inCards: 'left out', show: ({ account_id: id }) => <AccountLink id={id} /> },
        stuckColumn(texts, language, now),
        { heading: receipts.paidAt, show: ({ paid_at: at }) => formatTime(new Date(at), language) },
      ]}
    />
  );
}
