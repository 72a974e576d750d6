import { Link, useNavigate } from '@tanstack/react-router';
import { type PayoutStatus, toneOf } from '#src/payouts/describe-payout.ts';
import type { PayoutsQuery } from '#src/payouts/list-payouts.tsx';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { useLanguage } from '#src/texts/language.tsx';

const statuses = Object.keys(toneOf) as PayoutStatus[];

/** The filters of the list of payouts. */
export function PayoutFilters({ query }: { readonly query: PayoutsQuery }) {
  const { texts } = useLanguage();
  const { list, payouts } = texts;
  const navigate = useNavigate({ from: '/payouts' });
  const filter = (change: PayoutsQuery) => {
    void navigate({ search: (now) => ({ ...now, ...change, cursor: undefined }) });
  };
  const isFiltered = Object.keys(query).some((name) => name !== 'cursor');
  return (
    <ListHead title={payouts.title}>
      <StateFilter
        states={statuses}
        words={payouts.status}
        chosen={query.status}
        onChoose={(status) => filter({ status })}
      />
      <label>
        <input
          type="checkbox"
          checked={query.attention === 'true'}
          onChange={({ target }) => filter({ attention: target.checked ? 'true' : undefined })}
        />
        <span>{payouts.stuck}</span>
      </label>
      {isFiltered ? (
        <Link to="/payouts" search={{}}>
          {list.clear}
        </Link>
      ) : null}
    </ListHead>
  );
}
