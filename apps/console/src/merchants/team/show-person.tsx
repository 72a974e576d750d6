import { Status } from '#src/look/status.tsx';
import { PersonActions } from '#src/merchants/team/person-actions.tsx';
import { personToneOf, readTeam, type TeamPerson, teamKey } from '#src/merchants/team/team.ts';
import { Facts } from '#src/records/facts.tsx';
import { Empty } from '#src/records/page-states.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import page from '#src/records/record-page.module.css';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** One person of the account: what they may do, what they sign in with, and what can be done about it. */
export function ShowPerson({ id }: { readonly id: string }) {
  const { texts, language } = useMerchantTexts();
  const { team, environment } = texts;
  const find = async (signal: AbortSignal) => {
    const { people } = await readTeam(signal);
    return { person: people.find((each) => each.id === id) };
  };
  return (
    <ShowRecord queryKey={[...teamKey, id]} read={find} heading={({ person }) => <Heading person={person} />}>
      {({ person }) =>
        person ? (
          <>
            <PersonActions person={person} />
            <Facts
              facts={[
                [team.roles, person.roles.map((role) => team.role[role].name).join(', ')],
                [environment.label, person.environments.map((each) => environment[each]).join(', ')],
                [team.passkeys, person.passkeys],
                [team.password, person.has_password ? team.yes : team.no],
                [
                  team.lastSignIn,
                  person.last_sign_in_at === null ? team.never : formatTime(fromUnix(person.last_sign_in_at), language),
                ],
              ]}
            />
          </>
        ) : null
      }
    </ShowRecord>
  );
}

function Heading({ person }: { readonly person: TeamPerson | undefined }) {
  const { texts } = useMerchantTexts();
  const { team } = texts;
  return (
    <header className={page['heading']}>
      <title>{`${person?.name ?? team.one} · ${texts.product}`}</title>
      <p className={page['kind']}>{team.one}</p>
      <h1>{person?.name ?? team.one}</h1>
      {person ? (
        <>
          <Status tone={personToneOf[person.state]} word={team.state[person.state]} />
          <RecordId id={person.id} />
        </>
      ) : (
        <Empty>{team.gone}</Empty>
      )}
    </header>
  );
}
