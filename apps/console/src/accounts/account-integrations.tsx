import { useQuery } from '@tanstack/react-query';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { Chosen, Selected } from '#src/changes/fields.tsx';
import { linesIn, oneOf } from '#src/changes/typed.ts';
import {
  deleteConnectorIntegration,
  listConnectorIntegrations,
  setConnectorIntegration,
} from '#src/generated/sdk.gen.ts';
import type { Integration } from '#src/generated/types.gen.ts';
import { TextArea } from '#src/look/field.tsx';
import { Empty, Failed } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const prefixes = ['cli', 'alt'] as const satisfies readonly Integration['prefix'][];
const choices = ['on', 'off'] as const;

/** From where an account may use the connector, and whether it pays out through it. */
export function AccountIntegrations({ accountId }: { readonly accountId: string }) {
  const { texts } = useOperatorTexts();
  const { integrations } = texts.accounts;
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ['account', accountId, 'integrations'],
    queryFn: ({ signal }) => bodyOf(listConnectorIntegrations({ query: { account_id: accountId }, signal })),
  });
  return (
    <section className={styles['section']}>
      <h2>{integrations.title}</h2>
      {may('accounts:propose') ? (
        <Changes>
          <Restrict accountId={accountId} />
        </Changes>
      ) : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.data.length === 0 ? <Empty>{integrations.empty}</Empty> : null}
      {data && data.data.length > 0 ? <IntegrationTable rows={data.data} /> : null}
    </section>
  );
}

/** Replaces what is restricted at one prefix; letting a key in from more addresses takes another operator. */
function Restrict({ accountId }: { readonly accountId: string }) {
  const { texts } = useOperatorTexts();
  const { integrations, keys } = texts.accounts;
  const { restrict } = integrations;
  const send = (typed: FormData) => {
    const body = {
      account_id: accountId,
      prefix: oneOf(typed, 'prefix', prefixes),
      ip_allowlist: linesIn(typed, 'entries'),
      payouts_enabled: oneOf(typed, 'payouts', choices) === 'on',
    };
    return bodyOf(setConnectorIntegration({ body }));
  };
  return (
    <Change open={restrict.open} title={restrict.title} about={restrict.about} confirm={restrict.confirm} send={send}>
      <Selected
        name="prefix"
        label={integrations.prefix}
        options={prefixes.map((value) => ({ value, label: value }))}
        initial="cli"
      />
      <Chosen
        name="payouts"
        label={integrations.payouts}
        options={choices.map((value) => ({ value, label: restrict[value] }))}
        initial="on"
      />
      <TextArea name="entries" label={keys.allowlist} hint={keys.assign.hint} autoComplete="off" />
    </Change>
  );
}

function IntegrationTable({ rows }: { readonly rows: readonly Integration[] }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  const { integrations, keys } = accounts;
  const may = useMay();
  return (
    <RecordTable
      caption={integrations.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { heading: integrations.prefix, show: ({ prefix }) => <code>{prefix}</code> },
        {
          heading: integrations.payouts,
          show: ({ payouts_enabled: isOn }) => (isOn ? accounts.yes : accounts.no),
        },
        {
          heading: keys.allowlist,
          show: ({ ip_allowlist: from }) => (from.length === 0 ? keys.anywhere : from.join(', ')),
        },
        { heading: facts.created, show: ({ created_at: at }) => formatTime(fromUnix(at), language) },
        {
          heading: texts.changes.action,
          show: (row) => (may('accounts:propose') ? <Lift integration={row} /> : '–'),
        },
      ]}
    />
  );
}

/** Where the restrictions have addresses, another operator decides it. */
function Lift({ integration: { account_id: accountId, prefix } }: { readonly integration: Integration }) {
  const { texts } = useOperatorTexts();
  const { lift } = texts.accounts.integrations;
  return (
    <Change
      open={lift.open}
      look="danger"
      title={lift.title}
      about={lift.about}
      confirm={lift.confirm}
      send={() => bodyOf(deleteConnectorIntegration({ query: { account_id: accountId, prefix } }))}
    />
  );
}
