import { useQuery } from '@tanstack/react-query';
import { AccountFrame } from '#src/accounts/account-frame.tsx';
import { AccountIntegrations } from '#src/accounts/account-integrations.tsx';
import { AccountPeople } from '#src/accounts/account-people.tsx';
import { AssignAllowlist } from '#src/accounts/assign-allowlist.tsx';
import { keyToneOf, stateOf } from '#src/accounts/describe-account.ts';
import { ShowRefusedAddresses } from '#src/accounts/show-refused-addresses.tsx';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { textIn } from '#src/changes/typed.ts';
import { issueKey, listKeys, revokeKey } from '#src/generated/sdk.gen.ts';
import type { Key } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { Status } from '#src/look/status.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf, done } from '#src/records/refusal.ts';
import { RecordId } from '#src/records/record-id.tsx';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const keysMax = 200;
const nameLengthMax = 60;

/** Who and what opens an account: its keys without their secrets, the connector, and its people. */
export function ShowAccess({ id }: { readonly id: string }) {
  return (
    <AccountFrame id={id}>
      {() => (
        <>
          <Keys accountId={id} />
          <AccountPeople accountId={id} />
          <AccountIntegrations accountId={id} />
        </>
      )}
    </AccountFrame>
  );
}

function Keys({ accountId }: { readonly accountId: string }) {
  const { texts } = useOperatorTexts();
  const { keys } = texts.accounts;
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ['account', accountId, 'keys'],
    queryFn: ({ signal }) => bodyOf(listKeys({ path: { id: accountId }, query: { limit: keysMax }, signal })),
  });
  return (
    <section className={styles['section']}>
      <h2>{keys.title}</h2>
      {may('accounts:propose') ? (
        <p>
          <IssueKey accountId={accountId} />
        </p>
      ) : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={3} />}
      {data?.data.length === 0 ? <Empty>{keys.empty}</Empty> : null}
      {data && data.data.length > 0 ? <KeyTable rows={data.data} /> : null}
      {data ? <ShowRefusedAddresses accountId={accountId} keys={data.data} /> : null}
    </section>
  );
}

function KeyTable({ rows }: { readonly rows: readonly Key[] }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  const { keys } = accounts;
  return (
    <RecordTable
      caption={keys.title}
      rows={rows}
      keyOf={({ public_key: key }) => key}
      columns={[
        {
          heading: keys.key,
          show: ({ public_key: key, environment }) => (
            <>
              <RecordId id={key} /> <EnvironmentBadge environment={environment} />
            </>
          ),
        },
        { heading: accounts.name, show: ({ name }) => name ?? '–' },
        {
          heading: facts.status,
          show: (key) => <Status tone={keyToneOf[stateOf(key)]} word={keys.state[stateOf(key)]} />,
        },
        { heading: keys.scopes, inCards: 'folded', show: ({ scopes }) => scopes?.join(', ') ?? keys.everything },
        {
          heading: keys.allowlist,
          show: ({ ip_allowlist: from }) => (from.length === 0 ? keys.anywhere : from.join(', ')),
        },
        {
          heading: keys.used,
          show: ({ last_used_at: at }) => (at === null ? keys.never : formatTime(fromUnix(at), language)),
        },
        {
          heading: texts.changes.action,
          show: (key) => (key.revoked_at === null ? <KeyActions apiKey={key} /> : '–'),
        },
      ]}
    />
  );
}

function KeyActions({ apiKey }: { readonly apiKey: Key }) {
  const { texts } = useOperatorTexts();
  const { keys } = texts.accounts;
  const may = useMay();
  const { public_key: key } = apiKey;
  return (
    <Changes>
      <AssignAllowlist apiKey={apiKey} />
      {may('operations:write') ? (
        <Change
          open={keys.revoke}
          look="danger"
          title={keys.revokeTitle}
          about={keys.revokeAbout(key)}
          confirm={keys.revokeTitle}
          send={() => done(revokeKey({ path: { publicKey: key } }))}
        />
      ) : null}
    </Changes>
  );
}

function IssueKey({ accountId }: { readonly accountId: string }) {
  const { texts } = useOperatorTexts();
  const { issue } = texts.accounts.keys;
  const send = (typed: FormData) => {
    const body = { environment: 'live' as const, name: textIn(typed, 'name'), reason: textIn(typed, 'reason') };
    return bodyOf(issueKey({ path: { id: accountId }, body }));
  };
  return (
    <Change open={issue.open} title={issue.title} about={issue.about} confirm={issue.confirm} hasReason send={send}>
      <TextField name="name" label={issue.name} maxLength={nameLengthMax} autoComplete="off" required />
    </Change>
  );
}
