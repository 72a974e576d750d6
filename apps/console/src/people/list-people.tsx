import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Act } from '#src/changes/act.tsx';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { Checks } from '#src/changes/checks.tsx';
import { allOf, textIn } from '#src/changes/typed.ts';
import {
  confirmOperatorInvitation,
  createOperatorInvitation,
  listOperatorInvitations,
  listOperators,
  revokeOperatorInvitation,
} from '#src/generated/sdk.gen.ts';
import type { Operator, OperatorInvitation } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { Status } from '#src/look/status.tsx';
import { roles } from '#src/people/describe-person.ts';
import { enrolledAs } from '#src/records/enrolled-as.ts';
import { ListHead } from '#src/records/list-head.tsx';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { invitationToneOf, personToneOf } from '#src/records/people-tones.ts';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const nameLengthMax = 60;

/** The people who operate, and who is invited. */
export function ListPeople() {
  const { texts } = useOperatorTexts();
  const { people } = texts;
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ['people'],
    queryFn: async ({ signal }) => {
      const [persons, invitations] = await Promise.all([
        bodyOf(listOperators({ signal })),
        bodyOf(listOperatorInvitations({ signal })),
      ]);
      return { persons: persons.data, invitations: invitations.data };
    },
  });
  return (
    <div className={styles['page']}>
      <ListHead title={people.title}>{may('people:write') ? <Invite /> : null}</ListHead>
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={6} />}
      {data ? <PeopleTable rows={data.persons} /> : null}
      {data ? <Invitations rows={data.invitations} /> : null}
    </div>
  );
}

function Invite() {
  const { texts } = useOperatorTexts();
  const { people } = texts;
  const { invite } = people;
  const send = (typed: FormData) => {
    const body = { name: textIn(typed, 'name'), roles: allOf(typed, 'roles', roles), reason: textIn(typed, 'reason') };
    return bodyOf(createOperatorInvitation({ body }));
  };
  return (
    <Change
      open={invite.open}
      look="primary"
      title={invite.title}
      about={invite.about}
      confirm={invite.confirm}
      hasReason
      send={send}
    >
      <TextField
        name="name"
        label={people.name}
        hint={invite.nameHint}
        maxLength={nameLengthMax}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <Checks name="roles" label={people.roles} values={roles} words={people.role} />
    </Change>
  );
}

function PeopleTable({ rows }: { readonly rows: readonly Operator[] }) {
  const { texts, language } = useOperatorTexts();
  const { people, facts } = texts;
  return (
    <RecordTable
      caption={people.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: people.name,
          show: ({ id, name }) => (
            <Link to="/people/$id" params={{ id }}>
              {name}
            </Link>
          ),
        },
        {
          heading: facts.status,
          show: ({ state }) => <Status tone={personToneOf[state]} word={people.state[state]} />,
        },
        { heading: people.roles, show: (row) => row.roles.map((role) => people.role[role]).join(', ') },
        { heading: people.passkeys, align: 'right', show: ({ passkeys }) => passkeys },
        {
          heading: people.lastSignIn,
          show: ({ last_sign_in_at: at }) => (at === null ? people.never : formatTime(fromUnix(at), language)),
        },
      ]}
    />
  );
}

function Invitations({ rows }: { readonly rows: readonly OperatorInvitation[] }) {
  const { texts, language } = useOperatorTexts();
  const may = useMay();
  const { people, facts } = texts;
  return (
    <section className={styles['section']}>
      <h2>{people.invitations}</h2>
      {rows.length === 0 ? (
        <Empty>{people.noInvitations}</Empty>
      ) : (
        <RecordTable
          caption={people.invitations}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { heading: people.name, show: ({ name }) => name },
            {
              heading: facts.status,
              show: ({ state }) => <Status tone={invitationToneOf[state]} word={people.invitation[state]} />,
            },
            { heading: people.forWhat, inCards: 'folded', show: ({ purpose }) => people.purpose[purpose] },
            { heading: people.roles, show: (row) => row.roles.map((role) => people.role[role]).join(', ') },
            { heading: people.passkey, show: enrolledAs },
            { heading: people.until, show: ({ ends_at: at }) => formatTime(fromUnix(at), language) },
            {
              heading: texts.changes.action,
              show: (invitation) =>
                may('people:write') && isOpen(invitation) ? <Decide invitation={invitation} /> : '–',
            },
          ]}
        />
      )}
    </section>
  );
}

/** Whether anything can still be done about it. */
function isOpen({ state }: OperatorInvitation): boolean {
  return state === 'OPEN' || state === 'ACCEPTED';
}

/** The inviter confirms who enrolled, or the link is taken back. */
function Decide({ invitation: { id, state } }: { readonly invitation: OperatorInvitation }) {
  const { texts } = useOperatorTexts();
  const { people } = texts;
  const path = { id };
  return (
    <Changes>
      {state === 'ACCEPTED' ? (
        <Act label={people.confirm} send={() => bodyOf(confirmOperatorInvitation({ path }))} />
      ) : null}
      <Act label={people.revoke} look="danger" send={() => bodyOf(revokeOperatorInvitation({ path }))} />
    </Changes>
  );
}
