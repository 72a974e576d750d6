import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { TextArea, TextField } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { KeyMade } from '#src/merchants/developers/key-made.tsx';
import {
  claimKey,
  entriesIn,
  type Key,
  keysKey,
  nameOf,
  replaceKeyAllowlist,
  revokeKey,
  stateOf,
} from '#src/merchants/developers/keys.ts';
import styles from '#src/merchants/payments/payment-actions.module.css';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { Failed, Notice } from '#src/records/page-states.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

interface KeyActionsProps {
  readonly keyOfPage: Key;
  /** Where the person is. */
  readonly address: string;
  readonly queryKey: readonly string[];
}

/** Fetches the secret of a key that two agreed on, changes from where a key may be used, and ends it. */
export function KeyActions({ keyOfPage, address, queryKey }: KeyActionsProps) {
  const { texts } = useMerchantTexts();
  const { developers } = texts;
  const { may } = useWorkplace();
  const queries = useQueryClient();
  const [open, setOpen] = useState<'allowlist' | 'revoke'>();
  const claim = useMutation({
    mutationFn: () => claimKey(keyOfPage.public_key),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  const state = stateOf(keyOfPage);
  if (claim.data) return <KeyMade pair={claim.data} onKept={() => claim.reset()} />;
  if (state === 'revoked') return null;
  const close = () => setOpen(undefined);
  return (
    <section className={styles['actions']}>
      <div className={styles['buttons']}>
        {state === 'unclaimed' ? (
          <Button look="primary" busy={claim.isPending} onClick={() => claim.mutate()}>
            {developers.claim}
          </Button>
        ) : null}
        {may('keys:write') ? (
          <Button onClick={() => setOpen('allowlist')}>{developers.changeAllowlist.open}</Button>
        ) : null}
        <Button look="danger" onClick={() => setOpen('revoke')}>
          {developers.revoke.open}
        </Button>
      </div>
      {claim.error ? <Failed error={claim.error} /> : null}
      {open === 'allowlist' ? <ChangeAllowlist of={keyOfPage} address={address} onClose={close} /> : null}
      {open === 'revoke' ? <RevokeKey of={keyOfPage} onClose={close} /> : null}
    </section>
  );
}

interface KeyDialogProps {
  readonly of: Key;
  readonly onClose: () => void;
}

function ChangeAllowlist({ of: key, address, onClose }: KeyDialogProps & { readonly address: string }) {
  const { texts } = useMerchantTexts();
  const { developers } = texts;
  const { changeAllowlist: words } = developers;
  const queries = useQueryClient();
  const [typed, setTyped] = useState(key.ip_allowlist.join('\n'));
  const change = useMutation({
    mutationFn: () => replaceKeyAllowlist(key.public_key, entriesIn(typed)),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: [keysKey] }),
  });
  const entries = entriesIn(typed);
  const faults = change.error instanceof Refusal ? change.error.faults : {};
  const [path] = Object.keys(faults);
  const wrong = path === undefined ? undefined : `${entries[Number(path.split('.')[1])] ?? ''} ${faults[path] ?? ''}`;
  return (
    <DialogForm
      open
      onClose={onClose}
      title={words.title}
      about={words.about}
      confirm={words.confirm}
      sending={change}
      send={() => change.mutate()}
    >
      <TextArea
        label={developers.allowlist}
        hint={developers.allowlistHint}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        fault={wrong}
        rows={6}
        spellCheck={false}
      />
      <Notice>
        {entries.includes(address) || entries.length === 0 ? words.withYours(address) : words.withoutYours(address)}
      </Notice>
    </DialogForm>
  );
}

/** Ends a key for good; its name is typed, so that it is the right one. */
function RevokeKey({ of: key, onClose }: KeyDialogProps) {
  const { texts, language } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { revoke: words } = texts.developers;
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const revoke = useMutation({
    mutationFn: () => revokeKey(key.public_key),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: [keysKey] }),
  });
  const name = nameOf(key);
  const used = key.last_used_at;
  return (
    <DialogForm
      open
      onClose={onClose}
      title={words.title}
      about={`${words.about} ${used === null ? words.unused : words.used(formatTime(fromUnix(used), language))}`}
      confirm={words.confirm[environment]}
      sending={revoke}
      isComplete={typed.trim() === name}
      send={() => revoke.mutate()}
    >
      <TextField
        label={words.type(name)}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </DialogForm>
  );
}
