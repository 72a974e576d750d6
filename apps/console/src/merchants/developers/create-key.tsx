import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { TextArea, TextField } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { KeyMade } from '#src/merchants/developers/key-made.tsx';
import { createKey, entriesIn, keysKey, type Scope } from '#src/merchants/developers/keys.ts';
import { ScopeChoice } from '#src/merchants/developers/scope-choice.tsx';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { Notice } from '#src/records/page-states.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const nameLengthMax = 64;

interface Typed {
  readonly name: string;
  readonly scopes: readonly Scope[] | null;
  readonly allowlist: string;
}

const nothing: Typed = { name: '', scopes: [], allowlist: '' };

interface CreateKeyProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Issues a key: at once, or as a proposal where it takes another person of the account. */
export function CreateKey({ open, onClose }: CreateKeyProps) {
  const { texts } = useMerchantTexts();
  const { environment, may } = useWorkplace();
  const { create: words } = texts.developers;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(nothing);
  const create = useMutation({
    mutationFn: ({ name, scopes, allowlist }: Typed) =>
      createKey({ name, scopes, api_version: '1.0', ip_allowlist: entriesIn(allowlist) }),
    onSuccess: async (answer) => {
      if ('proposal' in answer) await navigate({ to: '/approvals/$id', params: { id: answer.proposal.id } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: [keysKey] }),
  });
  const close = () => {
    onClose();
    create.reset();
    setTyped(nothing);
  };
  if (create.data && 'pair' in create.data) return <KeyMade pair={create.data.pair} onKept={close} />;
  const paysOut = typed.scopes === null || typed.scopes.includes('payouts:write');
  const takesSecond = environment === 'live' && (paysOut || !may('keys:write'));
  return (
    <DialogForm
      open={open}
      onClose={close}
      title={words.title}
      about={words.about}
      confirm={takesSecond ? words.propose : words.confirm[environment]}
      sending={create}
      isComplete={typed.scopes?.length !== 0}
      send={() => create.mutate(typed)}
    >
      <KeyFields
        typed={typed}
        type={(change) => setTyped((now) => ({ ...now, ...change }))}
        faults={create.error instanceof Refusal ? create.error.faults : {}}
      />
      {takesSecond ? <Notice>{words.takesSecond}</Notice> : null}
    </DialogForm>
  );
}

interface KeyFieldsProps {
  readonly typed: Typed;
  readonly type: (change: Partial<Typed>) => void;
  readonly faults: Readonly<Record<string, string>>;
}

function KeyFields({ typed, type, faults }: KeyFieldsProps) {
  const { texts } = useMerchantTexts();
  const { developers } = texts;
  const wrongEntry = Object.keys(faults).find((path) => path.startsWith('ip_allowlist'));
  return (
    <>
      <TextField
        label={developers.name}
        hint={developers.create.nameHint}
        value={typed.name}
        onChange={({ target }) => type({ name: target.value })}
        fault={faults['name']}
        maxLength={nameLengthMax}
        required
      />
      <ScopeChoice chosen={typed.scopes} choose={(scopes) => type({ scopes })} fault={faults['scopes']} />
      <TextArea
        label={developers.allowlist}
        hint={developers.allowlistHint}
        value={typed.allowlist}
        onChange={({ target }) => type({ allowlist: target.value })}
        fault={wrongEntry && faults[wrongEntry]}
        spellCheck={false}
      />
    </>
  );
}
