import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { createWebhook } from '#src/generated/merchants/sdk.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { TextField } from '#src/look/field.tsx';
import { contract } from '#src/merchants/contract.ts';
import { events } from '#src/merchants/webhooks/describe-delivery.ts';
import { useEndpointsChanged } from '#src/merchants/webhooks/use-endpoints.ts';
import { SecretOnce } from '#src/merchants/secret-once.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import styles from './create-endpoint.module.css';

interface CreateEndpointProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

const nameLengthMax = 120;

/** Another place that events are sent to. Its secret is shown once, when it is made. */
export function CreateEndpoint({ open, onClose }: CreateEndpointProps) {
  const { texts } = useMerchantTexts();
  const { create: words } = texts.webhooks;
  const endpointsChanged = useEndpointsChanged();
  const [typed, setTyped] = useState({ name: '', url: '' });
  const [chosen, choose] = useState<ReadonlySet<string>>(() => new Set(events));
  const create = useMutation({
    mutationFn: () => {
      const body = { ...typed, events: events.filter((event) => chosen.has(event)) };
      return bodyOf(createWebhook({ body, headers: contract }));
    },
    onSettled: endpointsChanged,
  });
  const close = () => {
    onClose();
    create.reset();
    setTyped({ name: '', url: '' });
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  const faults = create.error instanceof Refusal ? create.error.faults : {};
  if (create.data) {
    return (
      <Dialog open={open} onClose={close} title={words.made} about={texts.webhooks.secretAbout}>
        <SecretOnce secret={create.data.secret} onKept={close} />
      </Dialog>
    );
  }
  return (
    <Dialog open={open} onClose={close} title={words.title} about={words.about}>
      <form onSubmit={submit}>
        <TextField
          label={texts.webhooks.name}
          value={typed.name}
          onChange={({ target }) => setTyped((now) => ({ ...now, name: target.value }))}
          fault={faults['name']}
          maxLength={nameLengthMax}
          required
        />
        <TextField
          label={texts.webhooks.url}
          type="url"
          hint={words.urlHint}
          value={typed.url}
          onChange={({ target }) => setTyped((now) => ({ ...now, url: target.value }))}
          fault={faults['url']}
          required
        />
        <EventChoice chosen={chosen} choose={choose} />
        {create.error ? <Failed error={create.error} /> : null}
        <DialogButtons>
          <Button onClick={close}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            {words.confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

interface EventChoiceProps {
  readonly chosen: ReadonlySet<string>;
  readonly choose: (change: (now: ReadonlySet<string>) => ReadonlySet<string>) => void;
}

/** What an endpoint is sent; everything at first. */
function EventChoice({ chosen, choose }: EventChoiceProps) {
  const { texts } = useMerchantTexts();
  const toggle = (event: string, isChosen: boolean) =>
    choose((now) => new Set(isChosen ? [...now, event] : [...now].filter((each) => each !== event)));
  return (
    <fieldset className={styles['events']}>
      <legend>{texts.webhooks.events}</legend>
      {events.map((event) => (
        <label key={event}>
          <input type="checkbox" checked={chosen.has(event)} onChange={({ target }) => toggle(event, target.checked)} />
          <code>{event}</code>
        </label>
      ))}
    </fieldset>
  );
}
