import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  actionsOf,
  type ApprovalAction,
  approvableFrom,
  handedOn,
  isOfRecord,
  toneOf,
} from '#src/approvals/describe-approval.ts';
import { type Difference, differencesBeside, nameOf, writtenValue } from '#src/approvals/describe-change.ts';
import { OnceShown } from '#src/changes/once-shown.tsx';
import { approveApproval, getApproval, refuseApproval, withdrawApproval } from '#src/generated/sdk.gen.ts';
import type { Approval } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { Facts } from '#src/records/facts.tsx';
import { ReasonDialog } from '#src/records/reason-dialog.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { RecordTable } from '#src/records/record-table.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useSession } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatAge, formatTime, fromUnix } from '#src/texts/time.ts';
import styles from './show-approval.module.css';

/** One proposal: exactly what would be carried out, beside what it changes. */
export function ShowApproval({ id }: { readonly id: string }) {
  return (
    <ShowRecord
      queryKey={['approval', id]}
      read={(signal) => bodyOf(getApproval({ path: { id }, signal }))}
      heading={({ approval }) => <Heading approval={approval} />}
    >
      {({ approval }) => (
        <>
          <Decisions approval={approval} />
          <ApprovalChange approval={approval} />
          <ApprovalFacts approval={approval} />
        </>
      )}
    </ShowRecord>
  );
}

function Heading({ approval }: { readonly approval: Approval }) {
  const { texts } = useOperatorTexts();
  const { approvals } = texts;
  return (
    <header className={styles['heading']}>
      <title>{`${approvals.kinds[approval.kind]} · ${texts.product}`}</title>
      <h1>{approvals.kinds[approval.kind]}</h1>
      <Status tone={toneOf[approval.state]} word={approvals.state[approval.state]} />
      <RecordId id={approval.id} />
    </header>
  );
}

const decide = { approve: approveApproval, refuse: refuseApproval, withdraw: withdrawApproval };

function Decisions({ approval }: { readonly approval: Approval }) {
  const { texts } = useOperatorTexts();
  const { approvals } = texts;
  const session = useSession();
  const queries = useQueryClient();
  const [open, setOpen] = useState<ApprovalAction>();
  const decision = useMutation({
    mutationFn: ({ action, reason }: { readonly action: ApprovalAction; readonly reason: string }) =>
      bodyOf(decide[action]({ path: { id: approval.id }, body: { reason } })),
    onSuccess: () => setOpen(undefined),
    onSettled: () => queries.invalidateQueries(),
  });
  const actions = actionsOf(approval, session);
  // What this answer alone has stays on the page until it is left: no reading has it again.
  const secrets = handedOn(decision.data?.approval ?? approval).map(({ kind, secret }) => (
    <OnceShown key={kind} about={texts.handOn[kind]} secret={secret} />
  ));
  if (actions.length === 0) return secrets.length === 0 ? null : <section>{secrets}</section>;
  return (
    <section className={styles['section']}>
      {actions.includes('withdraw') ? <p>{approvals.own}</p> : null}
      <div className={styles['buttons']}>
        {actions.map((action) => (
          <Button key={action} look={action === 'approve' ? 'primary' : 'plain'} onClick={() => setOpen(action)}>
            {approvals[action]}
          </Button>
        ))}
      </div>
      {actions.map((action) => (
        <ReasonDialog
          key={action}
          {...approvals.decision[action]}
          open={open === action}
          onClose={() => setOpen(undefined)}
          decision={{ ...decision, mutate: (reason) => decision.mutate({ action, reason }) }}
        />
      ))}
    </section>
  );
}

/** What it changes, member by member, before and after. */
export function ApprovalChange({ approval }: { readonly approval: Approval }) {
  const { texts, language } = useOperatorTexts();
  const { approvals } = texts;
  const words = { ...texts, language };
  const rows = differencesBeside(approval);
  const shown = (value: unknown, difference: Difference) => {
    const text = writtenValue(value, difference, words);
    return text ?? <span className={styles['none']}>{approvals.none}</span>;
  };
  const isNew = rows.every((difference) => difference.before === undefined);
  if (rows.length === 0) return null;
  const member = { heading: approvals.member, show: (difference: Difference) => nameOf(difference, words) };
  const after = { heading: approvals.after, show: (difference: Difference) => shown(difference.after, difference) };
  const before = { heading: approvals.before, show: (difference: Difference) => shown(difference.before, difference) };
  return (
    <RecordTable
      caption={approvals.kinds[approval.kind]}
      rows={rows}
      keyOf={({ path }) => path.join('.')}
      columns={isNew ? [member, { ...after, heading: approvals.value }] : [member, before, after]}
    />
  );
}

function ApprovalFacts({ approval }: { readonly approval: Approval }) {
  const { texts, language } = useOperatorTexts();
  const { approvals, facts } = texts;
  const now = new Date();
  const from = approvableFrom(approval);
  const { account_id: accountId, decided_by: decidedBy, decided_at: decidedAt, failure } = approval;
  return (
    <Facts
      facts={[
        [approvals.target, <Target key="target" approval={approval} />],
        [facts.account, accountId === null ? null : <AccountLink key="account" id={accountId} />],
        [facts.environment, approval.environment === null ? null : texts.environment[approval.environment]],
        [approvals.reason, approval.reason],
        [
          approvals.proposed,
          approvals.proposedBy(approval.proposed_by, formatAge(fromUnix(approval.created_at), now, language)),
        ],
        [approvals.from, from === undefined ? null : formatTime(fromUnix(from), language)],
        [approvals.expires, approval.state === 'PROPOSED' ? formatTime(fromUnix(approval.expires_at), language) : null],
        [approvals.decided, decidedAt === null ? null : formatTime(fromUnix(decidedAt), language)],
        [approvals.decidedBy, decidedBy],
        [approvals.decisionReason, approval.decision_reason],
        [approvals.failure, failure?.message],
      ]}
    />
  );
}

/** What it is about; a search for a whole id opens its page. */
function Target({ approval }: { readonly approval: Approval }) {
  const { texts } = useOperatorTexts();
  const { target } = approval;
  return (
    <>
      <RecordId id={target} />{' '}
      {isOfRecord(approval) ? (
        <Link to="/search" search={{ q: target }}>
          {texts.list.openPage}
        </Link>
      ) : null}
    </>
  );
}
