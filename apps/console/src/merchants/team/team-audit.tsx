import { Link } from '@tanstack/react-router';
import { ClearFilters, PeriodFilter, useFilter } from '#src/merchants/list-filters.tsx';
import { type AuditEntry, type AuditQuery, changesIn, listAudit } from '#src/merchants/team/audit-entry.ts';
import styles from '#src/merchants/team/team.module.css';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const kinds = ['change', 'read'] as const;

/** Who did what in the account, and who read personal data of it. */
export function TeamAudit({ query }: { readonly query: AuditQuery }) {
  const { texts, language } = useMerchantTexts();
  const { team, records } = texts;
  const filter = useFilter();
  return (
    <div>
      <ListHead title={team.audit}>
        <Link to="/team">{team.title}</Link>
        <StateFilter
          label={texts.facts.kind}
          states={kinds}
          words={team.auditKind}
          chosen={query.kind}
          onChoose={(kind) => filter({ kind })}
        />
        <PeriodFilter query={query} />
        <ClearFilters query={{ ...query }} />
      </ListHead>
      <RecordList
        name="team-audit"
        query={query}
        read={(signal) => listAudit(query, signal)}
        empty={() => (Object.keys(query).length > 0 ? records.empty : team.noAudit)}
      >
        {(rows) => (
          <RecordTable
            caption={team.audit}
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { heading: team.when, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
              { heading: team.who, show: ({ by }) => by.name ?? team.actor[by.kind] },
              { heading: team.what, show: ({ action }) => wordOf(team.actions, action) },
              {
                heading: team.target,
                show: ({ target }) => <code title={target}>{shortId(target)}</code>,
              },
              { heading: team.changed, show: (entry) => <Changes entry={entry} /> },
            ]}
          />
        )}
      </RecordList>
    </div>
  );
}

/** What is done in the account has a word; what operators did about it may have none. */
function wordOf(words: Readonly<Record<string, string>>, action: string): string {
  return words[action] ?? action;
}

function Changes({ entry }: { readonly entry: AuditEntry }) {
  const { texts } = useMerchantTexts();
  if (entry.kind === 'change' && entry.before === null && entry.after === null) return texts.team.outcomeUnknown;
  if (entry.reason !== null) return entry.reason;
  const changes = changesIn(entry);
  if (changes.length === 0) return '–';
  return (
    <ul className={styles['changes']}>
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          <code>{name}</code> {before === '' ? after : `${before} → ${after === '' ? '–' : after}`}
        </li>
      ))}
    </ul>
  );
}
