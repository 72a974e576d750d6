import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { replayWebhookEvents } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { DialogButtons } from '#src/look/dialog.tsx';
import { SelectField, TextField } from '#src/look/field.tsx';
import { contract } from '#src/merchants/contract.ts';
import { type EventKind, eventsOf, kinds, secondsOf } from '#src/merchants/events/describe-event.ts';
import { EndpointField } from '#src/merchants/events/endpoint-field.tsx';
import { ownZone } from '#src/merchants/list-filters.tsx';
import { AnsweredForm } from '#src/records/answered-form.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { toLocalMinute } from '#src/texts/time.ts';
import styles from './replay-events.module.css';

const dayMs = 86_400_000;

interface ReplayEventsProps {
  /** The endpoint that they go to; left out where it is chosen. */
  readonly endpointId?: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Sends an endpoint what it was never given of a period. Asked for twice, the second one sends nothing more. */
export function ReplayEvents({ endpointId, open, onClose }: ReplayEventsProps) {
  const { texts } = useMerchantTexts();
  const { replay: words, kinds: kindWords } = texts.events;
  const queries = useQueryClient();
  const [endpoint, choose] = useState(endpointId ?? '');
  const [kind, setKind] = useState<EventKind | ''>('');
  const [period, setPeriod] = useState(() => ({ since: toLocalMinute(new Date(Date.now() - dayMs)), until: '' }));
  const replay = useMutation({
    mutationFn: () => {
      const [since = 0, until] = [secondsOf(period.since), secondsOf(period.until)];
      const narrowed = {
        ...(until === undefined ? {} : { until }),
        ...(kind === '' ? {} : { events: eventsOf(kind) }),
      };
      return bodyOf(replayWebhookEvents({ path: { id: endpoint }, body: { since, ...narrowed }, headers: contract }));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [`deliveries ${endpoint}`] }),
  });
  return (
    <AnsweredForm
      open={open}
      onClose={onClose}
      title={words.title}
      about={words.about}
      confirm={words.confirm}
      sending={replay}
      isComplete={endpoint !== ''}
      answered={({ count }) => ({
        title: words.title,
        about: words.outcome(count),
        body: (close) => <Replayed seen={endpointId === undefined ? endpoint : undefined} onClose={close} />,
      })}
    >
      {endpointId === undefined ? <EndpointField value={endpoint} onChange={choose} /> : null}
      <SelectField
        label={texts.webhooks.events}
        options={[{ value: '', label: words.all }, ...kinds.map((value) => ({ value, label: kindWords[value] }))]}
        value={kind}
        onChange={setKind}
      />
      <PeriodFields
        period={period}
        onChange={(change) => setPeriod((now) => ({ ...now, ...change }))}
        faults={replay.error instanceof Refusal ? replay.error.faults : {}}
      />
      <NotSent />
    </AnsweredForm>
  );
}

interface PeriodFieldsProps {
  /** As the fields have it, in the zone of the reader. */
  readonly period: { readonly since: string; readonly until: string };
  readonly onChange: (change: Partial<PeriodFieldsProps['period']>) => void;
  readonly faults: Readonly<Record<string, string>>;
}

function PeriodFields({ period, onChange, faults }: PeriodFieldsProps) {
  const { texts } = useMerchantTexts();
  const { replay: words } = texts.events;
  return (
    <>
      <TextField
        label={words.since}
        hint={words.zone(ownZone())}
        type="datetime-local"
        value={period.since}
        onChange={({ target }) => onChange({ since: target.value })}
        fault={faults['since']}
        required
      />
      <TextField
        label={words.until}
        hint={words.untilHint}
        type="datetime-local"
        value={period.until}
        onChange={({ target }) => onChange({ until: target.value })}
        fault={faults['until']}
      />
    </>
  );
}

interface ReplayedProps {
  /** The endpoint, where its page is not the one that is open. */
  readonly seen: string | undefined;
  readonly onClose: () => void;
}

/** Below the outcome: what it left out, and where each delivery is. */
function Replayed({ seen, onClose }: ReplayedProps) {
  const { texts } = useMerchantTexts();
  return (
    <>
      <NotSent />
      <DialogButtons>
        {seen === undefined ? null : (
          <Link to="/webhooks/$id" params={{ id: seen }}>
            {texts.events.replay.seeDeliveries}
          </Link>
        )}
        <Button look="primary" onClick={onClose}>
          {texts.webhooks.recover.close}
        </Button>
      </DialogButtons>
    </>
  );
}

/** What a replay leaves out, each with what would send it. */
function NotSent() {
  const { texts } = useMerchantTexts();
  const { replay: words } = texts.events;
  return (
    <section className={styles['left']}>
      <h3>{words.notSent}</h3>
      <ul>
        {words.leftOut.map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
    </section>
  );
}
