import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { InvitationTable } from '#src/merchants/team/invitation-table.tsx';
import { InvitePerson } from '#src/merchants/team/invite-person.tsx';
import { personToneOf, readTeam, type TeamPerson, teamKey } from '#src/merchants/team/team.ts';
import { ListHead } from '#src/records/list-head.tsx';
import { Failed, Notice, Skeleton } from '#src/records/page-states.tsx';
import page from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** Who may sign in for the account, with what, and who is invited. */
export function ShowTeam() {
  const { texts } = useMerchantTexts();
  const { team } = texts;
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ queryKey: teamKey, queryFn: ({ signal }) => readTeam(signal) });
  const toConfirm = data?.invitations.filter(({ state }) => state === 'ACCEPTED') ?? [];
  return (
    <div className={page['page']}>
      <ListHead title={team.title}>
        <Link to="/team/audit">{team.audit}</Link>
        <Button look="primary" onClick={() => setOpen(true)}>
          {team.invite.open}…
        </Button>
      </ListHead>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton />}
      {toConfirm.length > 0 ? <Notice>{team.toConfirm(toConfirm.map(({ name }) => name).join(', '))}</Notice> : null}
      {data ? <InvitationTable invitations={data.invitations} people={data.people} /> : null}
      {data ? <PeopleTable people={data.people} /> : null}
      <InvitePerson open={isOpen} onClose={() => setOpen(false)} />
    </div>
  );
}

function PeopleTable({ people }: { readonly people: readonly TeamPerson[] }) {
  const { texts, language } = useMerchantTexts();
  const { team, facts, environment } = texts;
  return (
    <section className={page['section']}>
      <h2>{team.people}</h2>
      <RecordTable
        caption={team.people}
        rows={people}
        keyOf={({ id }) => id}
        columns={[
          {
            heading: team.name,
            show: ({ id, name }) => (
              <Link to="/team/$id" params={{ id }}>
                {name}
              </Link>
            ),
          },
          {
            heading: facts.status,
            show: ({ state }) => <Status tone={personToneOf[state]} word={team.state[state]} />,
          },
          { heading: team.roles, show: ({ roles }) => roles.map((role) => team.role[role].name).join(', ') },
          {
            heading: environment.label,
            show: ({ environments }) => environments.map((each) => environment[each]).join(', '),
          },
          {
            heading: team.lastSignIn,
            show: ({ last_sign_in_at: at }) => (at === null ? team.never : formatTime(fromUnix(at), language)),
          },
        ]}
      />
    </section>
  );
}
