import { useQuery } from '@tanstack/react-query';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { textIn } from '#src/changes/typed.ts';
import {
  getConversionSwitch,
  listUncoveredConversions,
  switchConversionsOff,
  switchConversionsOn,
} from '#src/generated/sdk.gen.ts';
import type { ConversionSwitch as Switch, UncoveredConversions } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, fromUnix } from '#src/texts/time.ts';

/** Whether live conversions are on, and what is owed of them and not bought yet. */
export function ConversionSwitch() {
  const { texts } = useOperatorTexts();
  const { conversions } = texts;
  const { data, error, refetch } = useQuery({
    queryKey: ['conversion-switch'],
    queryFn: async ({ signal }) => {
      const [live, uncovered] = await Promise.all([
        bodyOf(getConversionSwitch({ signal })),
        bodyOf(listUncoveredConversions({ signal })),
      ]);
      return { live, uncovered: uncovered.data };
    },
  });
  return (
    <div className={styles['page']}>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={3} />}
      {data ? <Live live={data.live} /> : null}
      {data ? <Uncovered rows={data.uncovered} /> : null}
      <h2>{conversions.title}</h2>
    </div>
  );
}

function Live({ live }: { readonly live: Switch }) {
  const { texts } = useOperatorTexts();
  const { conversions } = texts;
  const { switchOn, switchOff } = conversions;
  const may = useMay();
  const isOn = live.live === 'on';
  return (
    <section className={styles['section']}>
      <h2>{conversions.live}</h2>
      <p>
        <Status tone={isOn ? 'good' : 'neutral'} word={isOn ? conversions.on : conversions.off} />{' '}
        {live.allowed ? null : conversions.notAllowed}
        {live.by === null ? null : conversions.by(live.by, live.reason ?? '–')}
      </p>
      <Changes>
        {isOn && may('operations:write') ? (
          <Change
            open={switchOff.open}
            look="danger"
            title={switchOff.title}
            about={switchOff.about}
            confirm={switchOff.confirm}
            hasReason
            send={(typed) => bodyOf(switchConversionsOff({ body: { reason: textIn(typed, 'reason') } }))}
          />
        ) : null}
        {!isOn && live.allowed && may('accounts:propose') ? (
          <Change
            open={switchOn.open}
            title={switchOn.title}
            about={switchOn.about}
            confirm={switchOn.confirm}
            hasReason
            send={(typed) => bodyOf(switchConversionsOn({ body: { reason: textIn(typed, 'reason') } }))}
          />
        ) : null}
      </Changes>
    </section>
  );
}

function Uncovered({ rows }: { readonly rows: readonly UncoveredConversions[] }) {
  const { texts, language } = useOperatorTexts();
  const { conversions } = texts;
  return (
    <section className={styles['section']}>
      <h2>{conversions.uncovered}</h2>
      {rows.length === 0 ? (
        <Empty>{conversions.allCovered}</Empty>
      ) : (
        <RecordTable
          caption={conversions.uncovered}
          rows={rows}
          keyOf={({ currency }) => currency}
          columns={[
            { heading: texts.providers.currency, show: ({ currency }) => currency },
            { heading: conversions.count, align: 'right', show: (row) => row.conversions },
            {
              heading: conversions.owed,
              align: 'right',
              show: ({ owed_cents: amount }) => <Money amount={amount} currency="USDT" />,
            },
            {
              heading: conversions.given,
              align: 'right',
              show: ({ given_cents: amount, currency }) => <Money amount={amount} currency={currency} />,
            },
            {
              heading: conversions.open,
              align: 'right',
              show: ({ uncovered_cents: amount }) => <Money amount={amount} currency="USDT" />,
            },
            {
              heading: conversions.held,
              show: ({ held_reason: reason }) =>
                reason === null ? '–' : <Status tone="bad" word={conversions.heldWhy[reason]} />,
            },
            {
              heading: texts.stuck.since,
              show: ({ since }) =>
                since === null ? '–' : texts.records.age(formatAge(fromUnix(since), new Date(), language)),
            },
          ]}
        />
      )}
    </section>
  );
}
