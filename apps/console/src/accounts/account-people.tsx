import { useQuery } from '@tanstack/react-query';
import { Act } from '#src/changes/act.tsx';
import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { textIn } from '#src/changes/typed.ts';
import {
  confirmFirstOwner,
  createFirstOwner,
  listAccountPeople,
  recoverAccountPerson,
  revokeFirstOwner,
} from '#src/generated/sdk.gen.ts';
import type { MerchantInvitation, MerchantPeople, MerchantPerson } from '#src/generated/types.gen.ts';
import { TextField } from '#src/look/field.tsx';
import { Status } from '#src/look/status.tsx';
import { enrolledAs } from '#src/records/enrolled-as.ts';
import { Empty, Failed, Skeleton } from '#src/records/page-states.tsx';
import { invitationToneOf, personToneOf } from '#src/records/people-tones.ts';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const nameLengthMax = 60;

interface OfAccount {
  readonly accountId: string;
}

/** The people of an account, and who is invited; the first owner is invited by operators, all others by an owner. */
export function AccountPeople({ accountId }: OfAccount) {
  const { texts } = useOperatorTexts();
  const { people: words } = texts.accounts;
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ['account', accountId, 'people'],
    queryFn: ({ signal }) => bodyOf(listAccountPeople({ path: { id: accountId }, signal })),
  });
  return (
    <section className={styles['section']}>
      <h2>{words.title}</h2>
      {data && !hasOwner(data) && may('accounts:propose') ? (
        <p>
          <InviteOwner accountId={accountId} />
        </p>
      ) : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton lines={3} />}
      {data?.people.length === 0 ? <Empty>{words.empty}</Empty> : null}
      {data && data.people.length > 0 ? <PeopleTable accountId={accountId} rows={data.people} /> : null}
      {data && data.invitations.length > 0 ? <Invitations accountId={accountId} rows={data.invitations} /> : null}
    </section>
  );
}

function hasOwner({ people }: MerchantPeople): boolean {
  return people.some(({ roles }) => roles.includes('owner'));
}

function InviteOwner({ accountId }: OfAccount) {
  const { texts } = useOperatorTexts();
  const { owner } = texts.accounts.people;
  const send = (typed: FormData) => {
    const body = { name: textIn(typed, 'name'), reason: textIn(typed, 'reason') };
    return bodyOf(createFirstOwner({ path: { id: accountId }, body }));
  };
  return (
    <Change open={owner.open} title={owner.title} about={owner.about} confirm={owner.confirm} hasReason send={send}>
      <TextField
        name="name"
        label={owner.name}
        hint={owner.nameHint}
        maxLength={nameLengthMax}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </Change>
  );
}

function PeopleTable({ accountId, rows }: OfAccount & { readonly rows: readonly MerchantPerson[] }) {
  const may = useMay();
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  const { people: words } = accounts;
  return (
    <RecordTable
      caption={words.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { heading: accounts.name, show: ({ name }) => name },
        { heading: facts.status, show: ({ state }) => <Status tone={personToneOf[state]} word={words.state[state]} /> },
        { heading: words.roles, show: ({ roles }) => roles.map((role) => words.role[role]).join(', ') },
        { heading: facts.environment, show: ({ environments }) => environments.join(', ') },
        {
          heading: words.lastSignIn,
          show: ({ last_sign_in_at: at }) => (at === null ? words.never : formatTime(fromUnix(at), language)),
        },
        {
          heading: texts.changes.action,
          show: (person) =>
            may('accounts:propose') && person.state !== 'SUSPENDED' ? (
              <Recover accountId={accountId} person={person} />
            ) : (
              '–'
            ),
        },
      ]}
    />
  );
}

/** Of a person whom no owner of the account can let in again; a day later, so that who is still there can object. */
function Recover({ accountId, person }: OfAccount & { readonly person: MerchantPerson }) {
  const { texts } = useOperatorTexts();
  const { recover } = texts.accounts.people;
  const path = { id: accountId, personId: person.id };
  return (
    <Change
      open={recover.open}
      title={`${recover.title}: ${person.name}`}
      about={recover.about}
      confirm={recover.confirm}
      hasReason
      send={(typed) => bodyOf(recoverAccountPerson({ path, body: { reason: textIn(typed, 'reason') } }))}
    />
  );
}

function Invitations({ accountId, rows }: OfAccount & { readonly rows: readonly MerchantInvitation[] }) {
  const { texts, language } = useOperatorTexts();
  const { accounts, facts } = texts;
  const { people: words } = accounts;
  const may = useMay();
  const path = { id: accountId };
  return (
    <>
      <h3>{words.invitations}</h3>
      <RecordTable
        caption={words.invitations}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { heading: accounts.name, show: ({ name }) => name },
          {
            heading: facts.status,
            show: ({ state }) => <Status tone={invitationToneOf[state]} word={words.invitation[state]} />,
          },
          { heading: words.passkey, show: enrolledAs },
          { heading: words.until, show: ({ ends_at: at }) => formatTime(fromUnix(at), language) },
          {
            heading: texts.changes.action,
            show: ({ id, state }) =>
              may('accounts:propose') && (state === 'OPEN' || state === 'ACCEPTED') ? (
                <Changes>
                  {state === 'ACCEPTED' ? (
                    <Act
                      label={words.confirm}
                      send={() => bodyOf(confirmFirstOwner({ path, body: { invitation_id: id } }))}
                    />
                  ) : null}
                  <Act
                    label={words.revoke}
                    look="danger"
                    send={() => bodyOf(revokeFirstOwner({ path, body: { invitation_id: id } }))}
                  />
                </Changes>
              ) : (
                '–'
              ),
          },
        ]}
      />
    </>
  );
}
