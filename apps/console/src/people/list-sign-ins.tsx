import { useNavigate } from '@tanstack/react-router';
import { ListCsv } from '#src/changes/list-csv.tsx';
import { listSignIns } from '#src/generated/sdk.gen.ts';
import type { ListSignInsData, SignIn } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { defined } from '#src/records/defined.ts';
import { ListHead, StateFilter } from '#src/records/list-head.tsx';
import { RecordList } from '#src/records/record-list.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { wholeList } from '#src/records/save-csv.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

export type SignInsQuery = NonNullable<ListSignInsData['query']>;

const outcomes = ['done', 'refused'] as const;
const realms = ['operator', 'merchant'] as const;

/** Who signed in, and what was refused, newest first. */
export function ListSignIns({ query }: { readonly query: SignInsQuery }) {
  const { texts } = useOperatorTexts();
  const { signIns } = texts.people;
  const navigate = useNavigate();
  const { cursor: _, ...kept } = query;
  const filter = (change: Parameters<typeof defined<SignInsQuery>>[0]) =>
    void navigate({ to: '/sign-ins', search: defined<SignInsQuery>({ ...kept, ...change }) });
  return (
    <>
      <ListHead title={signIns.title}>
        <StateFilter
          label={signIns.realm}
          states={realms}
          words={signIns.realms}
          chosen={query.realm}
          onChoose={(realm) => filter({ realm })}
        />
        <StateFilter
          label={signIns.outcome}
          states={outcomes}
          words={signIns.outcomes}
          chosen={query.outcome}
          onChoose={(outcome) => filter({ outcome })}
        />
        <ListCsv name="sign-ins" read={() => bodyOf(listSignIns(wholeList(query)))} />
      </ListHead>
      <RecordList
        name="sign-ins"
        query={query}
        read={(signal) => bodyOf(listSignIns({ query, signal }))}
        empty={() => signIns.empty}
      >
        {(rows) => <SignInTable rows={rows} />}
      </RecordList>
    </>
  );
}

function SignInTable({ rows }: { readonly rows: readonly SignIn[] }) {
  const { texts, language } = useOperatorTexts();
  const { people } = texts;
  const { signIns } = people;
  return (
    <RecordTable
      caption={signIns.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { heading: signIns.at, show: ({ at }) => formatTime(fromUnix(at), language) },
        { heading: people.name, show: ({ name }) => name ?? '–' },
        {
          heading: signIns.outcome,
          show: ({ outcome }) => <Status tone={outcome === 'done' ? 'good' : 'bad'} word={signIns.outcomes[outcome]} />,
        },
        { heading: signIns.what, show: ({ what }) => texts.signedIn[what] ?? what },
        { heading: signIns.detail, show: ({ detail }) => <span className={styles['wrapped']}>{detail}</span> },
        { heading: people.from, inCards: 'folded', show: ({ address }) => <code>{address}</code> },
        { heading: people.by, inCards: 'folded', show: ({ by }) => by ?? '–' },
      ]}
    />
  );
}
