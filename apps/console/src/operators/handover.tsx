import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getOverview, listAudit } from '#src/generated/sdk.gen.ts';
import type { Attention, AuditEntry } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { type Deed, deedsOf, handoverText, type Shift, shiftOf, shifts } from '#src/operators/describe-handover.ts';
import { listAddress } from '#src/operators/list-address.ts';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Incomplete, Notice, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';

const hourSec = 3_600;
const changesMax = 200;

/** What one shift hands to the next: what is still open, and what operators did. */
export function Handover({ hours }: { readonly hours: Shift }) {
  const { texts } = useOperatorTexts();
  const { handover } = texts;
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['handover', hours],
    queryFn: async ({ signal }) => {
      const from = Math.floor(Date.now() / 1_000) - Number(hours) * hourSec;
      const [overview, changes] = await Promise.all([
        bodyOf(getOverview({ signal })),
        bodyOf(listAudit({ query: { kind: 'change', from, limit: changesMax }, signal })),
      ]);
      return { overview, changes };
    },
  });
  return (
    <div className={styles['page']}>
      <ListHead title={handover.title}>
        <label>
          <span>{handover.since}</span>
          <select
            value={hours}
            onChange={({ target }) => void navigate({ to: '/handover', search: { hours: shiftOf(target.value) } })}
          >
            {shifts.map((shift) => (
              <option key={shift} value={shift}>
                {handover.hours[shift]}
              </option>
            ))}
          </select>
        </label>
      </ListHead>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={8} />}
      {data ? <Incomplete services={data.overview.incomplete} /> : null}
      {data ? (
        <Parts
          attention={data.overview.attention}
          asOf={fromUnix(data.overview.as_of)}
          entries={data.changes.data}
          hasMore={data.changes.next_cursor !== null}
        />
      ) : null}
    </div>
  );
}

interface PartsProps {
  readonly attention: readonly Attention[];
  readonly asOf: Date;
  readonly entries: readonly AuditEntry[];
  readonly hasMore: boolean;
}

function Parts({ attention, asOf, entries, hasMore }: PartsProps) {
  const { texts, language } = useOperatorTexts();
  const { handover, overview } = texts;
  const deeds = deedsOf(entries);
  const title = `${handover.title}, ${formatTime(asOf, language)}`;
  const open = attention.map(({ kind, count, oldest_at: oldest }) => {
    const age = overview.oldest(formatAge(fromUnix(oldest), asOf, language));
    return `${overview.kinds[kind]}: ${count} (${age})`;
  });
  const did = deeds.map(({ operator, action, targets }) => `${operator}: ${action} ${targets.join(', ')}`);
  const text = handoverText(title, [
    { heading: handover.stillOpen, lines: open, none: handover.nothingOpen },
    { heading: handover.done, lines: did, none: handover.nothingDone },
  ]);
  return (
    <>
      <p>
        <Copy text={text} />
      </p>
      <section className={styles['section']}>
        <h2>{handover.stillOpen}</h2>
        {attention.length === 0 ? <Empty>{handover.nothingOpen}</Empty> : <Open rows={attention} asOf={asOf} />}
      </section>
      <section className={styles['section']}>
        <h2>{handover.done}</h2>
        {deeds.length === 0 ? <Empty>{handover.nothingDone}</Empty> : <Deeds rows={deeds} />}
        {hasMore ? <Notice>{handover.more}</Notice> : null}
      </section>
    </>
  );
}

function Copy({ text }: { readonly text: string }) {
  const { texts } = useOperatorTexts();
  const { handover } = texts;
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <>
      <Button look="primary" onClick={copy}>
        {handover.copy}
      </Button>{' '}
      <span role="status">{isCopied ? handover.copied : ''}</span>
    </>
  );
}

function Open({ rows, asOf }: { readonly rows: readonly Attention[]; readonly asOf: Date }) {
  const { texts, language } = useOperatorTexts();
  const { handover, overview, stuck, facts } = texts;
  return (
    <RecordTable
      caption={handover.stillOpen}
      rows={rows}
      keyOf={({ kind, environment }) => `${kind} ${environment}`}
      columns={[
        {
          heading: facts.kind,
          show: ({ kind, list }) => {
            const address = listAddress(list);
            const name = overview.kinds[kind];
            return address === undefined ? name : <Link to={address}>{name}</Link>;
          },
        },
        {
          heading: facts.environment,
          show: ({ environment }) => (environment === null ? '–' : texts.environment[environment]),
        },
        { heading: overview.title, align: 'right', show: ({ count }) => count },
        {
          heading: stuck.since,
          show: ({ oldest_at: at }) => overview.oldest(formatAge(fromUnix(at), asOf, language)),
        },
      ]}
    />
  );
}

const shownTargets = 3;

function Deeds({ rows }: { readonly rows: readonly Deed[] }) {
  const { texts } = useOperatorTexts();
  const { audit, approvals, handover } = texts;
  return (
    <RecordTable
      caption={handover.done}
      rows={rows}
      keyOf={({ operator, action }) => `${operator} ${action}`}
      columns={[
        { heading: audit.who, show: ({ operator }) => operator },
        {
          heading: audit.what,
          show: ({ operator, action }) => (
            <Link to="/audit" search={{ operator, action, kind: 'change' }}>
              <code>{action}</code>
            </Link>
          ),
        },
        { heading: handover.often, align: 'right', show: ({ targets }) => handover.times(targets.length) },
        {
          heading: approvals.target,
          show: ({ targets }) => {
            const rest = targets.length > shownTargets ? ' …' : '';
            return `${targets.slice(0, shownTargets).map(shortId).join(', ')}${rest}`;
          },
        },
      ]}
    />
  );
}
