import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import styles from '#src/merchants/payments/payment-actions.module.css';
import { LinkOnce } from '#src/merchants/team/link-once.tsx';
import { RightsFields } from '#src/merchants/team/rights-fields.tsx';
import {
  changeRights,
  endSessionsOf,
  removePerson,
  resetPerson,
  type Rights,
  roles,
  type TeamPerson,
  teamKey,
} from '#src/merchants/team/team.ts';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { Failed, Notice } from '#src/records/page-states.tsx';
import { ReasonDialog } from '#src/records/reason-dialog.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { useSession } from '#src/session/session.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

interface PersonProps {
  readonly person: TeamPerson;
}

/** What an owner does about a colleague: other rights, sessions that end, a sign-in that was lost, and leaving the account. */
export function PersonActions({ person }: PersonProps) {
  const { texts } = useMerchantTexts();
  const { team } = texts;
  const { person: self } = useSession();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => endSessionsOf(person.id),
    onSettled: () => queries.invalidateQueries({ queryKey: teamKey }),
  });
  const isSelf = self.id === person.id;
  return (
    <section className={styles['actions']}>
      <div className={styles['buttons']}>
        <ChangeRights person={person} />
        <Button busy={end.isPending} onClick={() => end.mutate()}>
          {team.endSessions}
        </Button>
        {isSelf ? null : <ResetPerson person={person} />}
        <RemovePerson person={person} />
      </div>
      <p role="status">{end.isSuccess ? team.sessionsEnded : ''}</p>
      {end.error ? <Failed error={end.error} /> : null}
    </section>
  );
}

function ChangeRights({ person }: PersonProps) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { change: words } = texts.team;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [rights, setRights] = useState<Rights>(person);
  const change = useMutation({
    mutationFn: () => changeRights(person.id, { roles: rights.roles, environments: rights.environments }),
    onSuccess: async (proposal) => {
      setOpen(false);
      if (proposal) await navigate({ to: '/approvals/$id', params: { id: proposal.id } });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: teamKey }),
  });
  const becomesOwner = rights.roles.includes('owner') && !person.roles.includes('owner');
  // Two of the account make an owner, which they do in live mode.
  const given = roles.filter((role) => role !== 'owner' || environment === 'live' || person.roles.includes('owner'));
  return (
    <>
      <Button
        onClick={() => {
          setRights(person);
          setOpen(true);
        }}
      >
        {words.open}…
      </Button>
      <DialogForm
        open={isOpen}
        onClose={() => setOpen(false)}
        title={words.title(person.name)}
        about={words.about}
        confirm={becomesOwner ? words.propose : words.confirm}
        sending={change}
        isComplete={rights.roles.length > 0 && rights.environments.length > 0}
        send={() => change.mutate()}
      >
        <RightsFields
          rights={rights}
          change={setRights}
          roles={given}
          faults={change.error instanceof Refusal ? change.error.faults : {}}
        />
        {becomesOwner ? <Notice>{words.byTwo}</Notice> : null}
      </DialogForm>
    </>
  );
}

function ResetPerson({ person }: PersonProps) {
  const { texts } = useMerchantTexts();
  const { reset: words, ...team } = texts.team;
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const reset = useMutation({
    mutationFn: (reason: string) => resetPerson(person.id, reason),
    onSettled: () => queries.invalidateQueries({ queryKey: teamKey }),
  });
  const close = () => {
    setOpen(false);
    reset.reset();
  };
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {words.open}…
      </Button>
      {reset.data ? (
        <Dialog open={isOpen} onClose={close} title={words.done(person.name)} about={team.linkAbout}>
          <LinkOnce link={reset.data} onKept={close} />
        </Dialog>
      ) : (
        <ReasonDialog
          open={isOpen}
          onClose={close}
          title={words.title(person.name)}
          about={words.about}
          confirm={words.confirm}
          decision={reset}
        />
      )}
    </>
  );
}

function RemovePerson({ person }: PersonProps) {
  const { texts } = useMerchantTexts();
  const { remove: words } = texts.team;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const remove = useMutation({
    mutationFn: () => removePerson(person.id),
    onSuccess: () => navigate({ to: '/team' }),
    onSettled: () => queries.invalidateQueries({ queryKey: teamKey }),
  });
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {words.open}…
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={words.title(person.name)} about={words.about}>
        {remove.error ? <Failed error={remove.error} /> : null}
        <DialogButtons>
          <Button onClick={() => setOpen(false)}>{texts.cancel}</Button>
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {words.confirm}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
