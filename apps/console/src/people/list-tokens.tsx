import { useQuery } from '@tanstack/react-query';
import { Change } from '#src/changes/change.tsx';
import { Checks } from '#src/changes/checks.tsx';
import { OnceShown } from '#src/changes/once-shown.tsx';
import { allOf, linesIn, textIn } from '#src/changes/typed.ts';
import { issueServiceToken, listServiceTokens, revokeServiceToken } from '#src/generated/sdk.gen.ts';
import type { ServiceToken } from '#src/generated/types.gen.ts';
import { TextArea, TextField } from '#src/look/field.tsx';
import { Status } from '#src/look/status.tsx';
import { scopes, tokenStateOf, tokenToneOf } from '#src/people/describe-person.ts';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf, done } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const nameLengthMax = 60;
const daysMax = 90;

/** The tokens by which programs work here, and what each may. */
export function ListTokens() {
  const { texts } = useOperatorTexts();
  const { tokens } = texts.people;
  const may = useMay();
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['service-tokens'],
    queryFn: ({ signal }) => bodyOf(listServiceTokens({ signal })),
  });
  return (
    <div className={styles['page']}>
      <ListHead title={tokens.title}>{may('people:write') ? <Issue /> : null}</ListHead>
      <p>{tokens.about}</p>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={4} />}
      {data?.data.length === 0 ? <Empty>{tokens.empty}</Empty> : null}
      {data && data.data.length > 0 ? <TokenTable rows={data.data} nowSec={dataUpdatedAt / 1_000} /> : null}
    </div>
  );
}

function Issue() {
  const { texts } = useOperatorTexts();
  const { people, handOn } = texts;
  const { issue, scopes: label } = people.tokens;
  const send = (typed: FormData) => {
    const allowlist = linesIn(typed, 'allowlist');
    const body = {
      name: textIn(typed, 'name'),
      scopes: allOf(typed, 'scopes', scopes),
      days: Number(textIn(typed, 'days')),
      reason: textIn(typed, 'reason'),
      ...(allowlist.length === 0 ? {} : { allowlist }),
    };
    return bodyOf(issueServiceToken({ body }));
  };
  return (
    <Change
      open={issue.open}
      look="primary"
      title={issue.title}
      about={issue.about}
      confirm={issue.confirm}
      hasReason
      send={send}
      done={(answer) => ('token' in answer ? <OnceShown about={handOn.token} secret={answer.token} /> : null)}
    >
      <TextField name="name" label={people.name} maxLength={nameLengthMax} autoComplete="off" required />
      <Checks name="scopes" label={label} values={scopes} initial={['records:read']} />
      <TextField name="days" label={issue.days} type="number" min={1} max={daysMax} defaultValue="90" required />
      <TextArea name="allowlist" label={issue.allowlist} rows={2} />
    </Change>
  );
}

function TokenTable({ rows, nowSec }: { readonly rows: readonly ServiceToken[]; readonly nowSec: number }) {
  const { texts, language } = useOperatorTexts();
  const { people, facts } = texts;
  const { tokens } = people;
  const may = useMay();
  return (
    <RecordTable
      caption={tokens.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { heading: people.name, show: ({ name }) => name },
        {
          heading: facts.status,
          show: (token) => {
            const state = tokenStateOf(token, nowSec);
            return <Status tone={tokenToneOf[state]} word={tokens.state[state]} />;
          },
        },
        {
          heading: tokens.scopes,
          show: (token) => <span className={styles['wrapped']}>{token.scopes.join(', ')}</span>,
        },
        {
          heading: tokens.allowlist,
          inCards: 'folded',
          show: ({ allowlist }) => (allowlist.length === 0 ? tokens.anywhere : allowlist.join(', ')),
        },
        {
          heading: tokens.createdBy,
          inCards: 'folded',
          show: ({ created_by: made, approved_by: approved }) => [made, approved ?? []].flat().join(', '),
        },
        {
          heading: tokens.used,
          inCards: 'folded',
          show: ({ last_used_at: at }) => (at === null ? people.never : formatTime(fromUnix(at), language)),
        },
        { heading: tokens.ends, show: ({ ends_at: at }) => formatTime(fromUnix(at), language) },
        {
          heading: texts.changes.action,
          show: ({ id, name, revoked_at: at }) =>
            at === null && may('people:write') ? (
              <Change
                open={tokens.revoke}
                look="danger"
                title={tokens.revokeTitle}
                about={tokens.revokeAbout(name)}
                confirm={tokens.revokeTitle}
                send={() => done(revokeServiceToken({ path: { id } }))}
              />
            ) : (
              '–'
            ),
        },
      ]}
    />
  );
}
