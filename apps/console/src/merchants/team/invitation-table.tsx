import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '#src/look/button.tsx';
import { Status, type Tone } from '#src/look/status.tsx';
import styles from '#src/merchants/payments/payment-actions.module.css';
import { decideInvitation, type TeamInvitation, type TeamPerson, teamKey } from '#src/merchants/team/team.ts';
import { enrolledAs } from '#src/records/enrolled-as.ts';
import { Failed } from '#src/records/page-states.tsx';
import page from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { useSession } from '#src/session/session.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const toneOf: Readonly<Record<TeamInvitation['state'], Tone>> = {
  OPEN: 'wait',
  ACCEPTED: 'info',
  CONFIRMED: 'good',
  REVOKED: 'neutral',
  EXPIRED: 'neutral',
};

interface InvitationTableProps {
  readonly invitations: readonly TeamInvitation[];
  readonly people: readonly TeamPerson[];
}

/** Invitations that wait: for their link to be opened, or for the confirmation of who opened it. */
export function InvitationTable({ invitations, people }: InvitationTableProps) {
  const { texts, language } = useMerchantTexts();
  const { team, facts } = texts;
  const waiting = invitations.filter(({ state }) => state === 'OPEN' || state === 'ACCEPTED');
  if (waiting.length === 0) return null;
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? team.theOperator;
  return (
    <section className={page['section']}>
      <h2>{team.invitations}</h2>
      <RecordTable
        caption={team.invitations}
        rows={waiting}
        keyOf={({ id }) => id}
        columns={[
          { heading: team.name, show: ({ name }) => name },
          { heading: facts.status, show: ({ state }) => <Status tone={toneOf[state]} word={team.invitation[state]} /> },
          { heading: team.device, show: enrolledAs },
          { heading: team.roles, show: ({ roles }) => roles.map((role) => team.role[role].name).join(', ') },
          { heading: team.invitedBy, show: ({ invited_by: by }) => nameOf(by) },
          { heading: team.until, show: ({ ends_at: at }) => formatTime(fromUnix(at), language) },
          { heading: team.decide, show: (invitation) => <Decide invitation={invitation} /> },
        ]}
      />
    </section>
  );
}

function Decide({ invitation }: { readonly invitation: TeamInvitation }) {
  const { texts } = useMerchantTexts();
  const { team } = texts;
  const { person } = useSession();
  const queries = useQueryClient();
  const { id, state, name, invited_by: by } = invitation;
  const decide = useMutation({
    mutationFn: (decision: 'confirm' | 'revoke') => decideInvitation(id, decision),
    onSettled: () => queries.invalidateQueries({ queryKey: teamKey }),
  });
  return (
    <div className={styles['buttons']}>
      {state === 'ACCEPTED' && by === person.id ? (
        <Button
          busy={decide.isPending}
          onClick={() => decide.mutate('confirm')}
          aria-label={team.confirmWho(name, enrolledAs(invitation))}
        >
          {team.confirm}
        </Button>
      ) : null}
      <Button
        look="danger"
        busy={decide.isPending}
        onClick={() => decide.mutate('revoke')}
        aria-label={team.revokeWhose(name)}
      >
        {team.revoke}
      </Button>
      {decide.error ? <Failed error={decide.error} /> : null}
    </div>
  );
}
