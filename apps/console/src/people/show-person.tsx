import { Link } from '@tanstack/react-router';
import { Act } from '#src/changes/act.tsx';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { Checks } from '#src/changes/checks.tsx';
import { allOf, textIn } from '#src/changes/typed.ts';
import {
  getOperator,
  recoverOperator,
  reinstateOperator,
  revokeOperatorSessions,
  suspendOperator,
  updateOperator,
} from '#src/generated/sdk.gen.ts';
import type { Operator, OperatorSession } from '#src/generated/types.gen.ts';
import { Status } from '#src/look/status.tsx';
import { browserOf, roles } from '#src/people/describe-person.ts';
import { Facts } from '#src/records/facts.tsx';
import { Empty } from '#src/records/page-states.tsx';
import { personToneOf } from '#src/records/people-tones.ts';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useMay, useSession } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

/** One person who operates: what they may, where they are signed in, and what takes that away or gives it. */
export function ShowPerson({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { people, nav } = texts;
  return (
    <ShowRecord
      queryKey={['person', id]}
      read={(signal) => bodyOf(getOperator({ path: { id }, signal }))}
      heading={({ person }) => <Heading person={person} />}
    >
      {({ person, sessions }) => (
        <>
          <Actions person={person} />
          <PersonFacts person={person} />
          <Sessions rows={sessions} />
          <p className={styles['links']}>
            <Link to="/sign-ins" search={{ person_id: id }}>
              {people.signIns.title}
            </Link>
            <Link to="/audit" search={{ operator: person.name }}>
              {nav.audit}
            </Link>
          </p>
        </>
      )}
    </ShowRecord>
  );
}

function Heading({ person: { id, name, state } }: { readonly person: Operator }) {
  const { texts } = useOperatorTexts();
  const { people } = texts;
  return (
    <header className={styles['heading']}>
      <title>{`${name} · ${texts.product}`}</title>
      <p className={styles['kind']}>{people.one}</p>
      <h1>{name}</h1>
      <Status tone={personToneOf[state]} word={people.state[state]} />
      <RecordId id={id} />
    </header>
  );
}

function Actions({ person }: { readonly person: Operator }) {
  const { texts } = useOperatorTexts();
  const { people } = texts;
  const { changeRoles, suspend, reinstate, recover } = people;
  const me = useSession().person.id;
  const may = useMay();
  const { id, state } = person;
  const path = { id };
  // The server refuses what a person does to themselves: another admin does it.
  if (!may('people:write') || id === me) return null;
  return (
    <Changes>
      <Change
        open={changeRoles.open}
        title={changeRoles.title}
        about={changeRoles.about}
        confirm={changeRoles.confirm}
        hasReason
        send={(typed) => {
          const body = { roles: allOf(typed, 'roles', roles), reason: textIn(typed, 'reason') };
          return bodyOf(updateOperator({ path, body }));
        }}
      >
        <Checks name="roles" label={people.roles} values={roles} words={people.role} initial={person.roles} />
      </Change>
      <Act
        label={people.endSessions}
        send={() => bodyOf(revokeOperatorSessions({ path }))}
        done={({ ended }) => people.ended(ended)}
      />
      {state === 'SUSPENDED' ? (
        <Change {...reinstate} hasReason send={(typed) => bodyOf(reinstateOperator({ path, body: reasonIn(typed) }))} />
      ) : (
        <Change
          {...suspend}
          look="danger"
          hasReason
          send={async (typed) => {
            await bodyOf(suspendOperator({ path, body: reasonIn(typed) }));
          }}
        />
      )}
      <Change {...recover} hasReason send={(typed) => bodyOf(recoverOperator({ path, body: reasonIn(typed) }))} />
    </Changes>
  );
}

function reasonIn(typed: FormData): { readonly reason: string } {
  return { reason: textIn(typed, 'reason') };
}

function PersonFacts({ person }: { readonly person: Operator }) {
  const { texts, language } = useOperatorTexts();
  const { people, facts } = texts;
  const { last_sign_in_at: lastAt } = person;
  return (
    <Facts
      facts={[
        [people.roles, person.roles.map((role) => people.role[role]).join(', ')],
        [people.passkeys, person.passkeys],
        [people.password, person.has_password ? people.yes : people.no],
        [people.lastSignIn, lastAt === null ? people.never : formatTime(fromUnix(lastAt), language)],
        [facts.created, formatTime(fromUnix(person.created_at), language)],
      ]}
    />
  );
}

function Sessions({ rows }: { readonly rows: readonly OperatorSession[] }) {
  const { texts, language } = useOperatorTexts();
  const { people } = texts;
  return (
    <section className={styles['section']}>
      <h2>{people.sessions}</h2>
      {rows.length === 0 ? (
        <Empty>{people.noSessions}</Empty>
      ) : (
        <RecordTable
          caption={people.sessions}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { heading: people.by, show: ({ factor }) => people.factor[factor] },
            { heading: people.from, show: ({ address }) => <code>{address}</code> },
            { heading: people.browser, show: ({ user_agent: agent }) => <Agent agent={agent} /> },
            { heading: people.lastSeen, show: ({ last_seen_at: at }) => formatTime(fromUnix(at), language) },
            { heading: people.ends, show: ({ ends_at: at }) => formatTime(fromUnix(at), language) },
          ]}
        />
      )}
    </section>
  );
}

function Agent({ agent }: { readonly agent: string }) {
  return (
    <span className={styles['wrapped']} title={agent}>
      {browserOf(agent)}
    </span>
  );
}
