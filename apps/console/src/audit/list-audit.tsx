import { useNavigate } from '@tanstack/react-router';
import { changedMembers } from '#src/audit/describe-audit.ts';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { listAudit } from '#src/generated/sdk.gen.ts';
import type { AuditEntry, ListAuditData } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { defined } from '#src/records/defined.ts';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { TypedFilters } from '#src/records/typed-filters.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';
import styles from './list-audit.module.css';

export type AuditQuery = NonNullable<ListAuditData['query']>;

const kinds = ['change', 'read'] as const;
const typedFilters = ['operator', 'action', 'target', 'account_id', 'request_id'] as const;

/** Who changed what, and who saw personal data, newest first. */
export function ListAudit({ query }: { readonly query: AuditQuery }) {
  const { texts } = useOperatorTexts();
  const { audit } = texts;
  return (
    <>
      <Filters key={JSON.stringify(query)} query={query} />
      <RecordList
        name="audit"
        query={query}
        read={(signal) => bodyOf(listAudit({ query, signal }))}
        empty={() => audit.empty}
      >
        {(rows) => <AuditTable rows={rows} />}
      </RecordList>
    </>
  );
}

function Filters({ query }: { readonly query: AuditQuery }) {
  const { texts } = useOperatorTexts();
  const { audit, facts, approvals } = texts;
  const navigate = useNavigate();
  const { cursor: _, ...kept } = query;
  const filter = (change: Parameters<typeof defined<AuditQuery>>[0]) =>
    void navigate({ to: '/audit', search: defined<AuditQuery>({ ...kept, ...change }) });
  const labels = {
    operator: audit.operator,
    action: audit.action,
    target: approvals.target,
    account_id: facts.account,
    request_id: audit.request,
  };
  return (
    <ListHead title={audit.title}>
      <TypedFilters names={typedFilters} labels={labels} chosen={query} apply={audit.apply} onApply={filter}>
        <StateFilter
          label={audit.kind}
          states={kinds}
          words={audit.kinds}
          chosen={query.kind}
          onChoose={(kind) => filter({ kind })}
        />
      </TypedFilters>
      <ListCsv name="audit" read={() => bodyOf(listAudit(wholeList(query)))} />
    </ListHead>
  );
}

function AuditTable({ rows }: { readonly rows: readonly AuditEntry[] }) {
  const { texts, language } = useOperatorTexts();
  const { audit, approvals } = texts;
  return (
    <RecordTable
      caption={audit.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { heading: audit.when, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
        { heading: audit.who, show: ({ operator }) => operator },
        {
          heading: audit.what,
          show: ({ action, kind }) => (
            <>
              <code>{action}</code> {kind === 'read' ? <Status tone="info" word={audit.kinds.read} /> : null}
            </>
          ),
        },
        { heading: approvals.target, show: ({ target }) => <RecordId id={target} /> },
        { heading: audit.after, show: (entry) => <What entry={entry} /> },
        { heading: audit.request, inCards: 'folded', show: ({ request_id: id }) => <RecordId id={id} /> },
      ]}
    />
  );
}

/** The members that a change changed, or what a reading asked for; a row without an outcome reports that. */
function What({ entry }: { readonly entry: AuditEntry }) {
  const { texts } = useOperatorTexts();
  const { audit } = texts;
  const { kind, filter, records, after } = entry;
  if (kind === 'read') {
    const asked = Object.entries(filter ?? {}).map(([name, value]) => `${name}=${String(value)}`);
    return (
      <span className={styles['what']}>
        {[...asked, ...(records === null ? [] : [`${audit.records}: ${records}`])].join(' · ') || '–'}
      </span>
    );
  }
  if (after === null) return <Status tone="wait" word={audit.unknown} />;
  const changed = changedMembers(entry);
  return (
    <ul className={styles['what']}>
      {changed.map(({ member, before, after: now }) => (
        <li key={member}>
          <code>{member}</code>: {before} → {now}
        </li>
      ))}
    </ul>
  );
}
