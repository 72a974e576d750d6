import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { TextField } from '#src/look/field.tsx';
import { LinkOnce } from '#src/merchants/team/link-once.tsx';
import { RightsFields } from '#src/merchants/team/rights-fields.tsx';
import { invitePerson, type Rights, roles, teamKey } from '#src/merchants/team/team.ts';
import { AnsweredForm } from '#src/records/answered-form.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const nothing = { name: '', rights: { roles: [], environments: ['test'] } as Rights };
// An owner is made by two, of a person who is there.
const givenRoles = roles.filter((role) => role !== 'owner');

interface InvitePersonProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Invites a person into the account, and shows the link once. */
export function InvitePerson({ open, onClose }: InvitePersonProps) {
  const { texts } = useMerchantTexts();
  const { invite: words, ...team } = texts.team;
  const queries = useQueryClient();
  const [typed, setTyped] = useState(nothing);
  const invite = useMutation({
    mutationFn: () => invitePerson({ name: typed.name, ...typed.rights }),
    onSettled: () => queries.invalidateQueries({ queryKey: teamKey }),
  });
  const leave = () => {
    onClose();
    setTyped(nothing);
  };
  const { rights, name } = typed;
  const faults = invite.error instanceof Refusal ? invite.error.faults : {};
  return (
    <AnsweredForm
      open={open}
      onClose={leave}
      title={words.open}
      about={words.about}
      confirm={words.confirm}
      sending={invite}
      isComplete={rights.roles.length > 0 && rights.environments.length > 0}
      answered={(link) => ({
        title: words.made(name),
        about: team.linkAbout,
        body: (close) => <LinkOnce link={link} onKept={close} />,
      })}
    >
      <TextField
        label={team.name}
        hint={words.nameHint}
        value={name}
        onChange={({ target }) => setTyped((now) => ({ ...now, name: target.value.toLowerCase() }))}
        fault={faults['name']}
        pattern="[a-z0-9][a-z0-9._@+\-]{1,63}"
        title={words.nameHint}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <RightsFields
        rights={rights}
        change={(changed) => setTyped((now) => ({ ...now, rights: changed }))}
        roles={givenRoles}
        faults={faults}
      />
    </AnsweredForm>
  );
}
