import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  actionsOf,
  type ApprovalAction,
  differencesOf,
  handedOn,
  shownValue,
  toneOf,
} from '#src/approvals/describe-approval.ts';
import { OnceShown } from '#src/changes/once-shown.tsx';
import { approveApproval, getApproval, refuseApproval, withdrawApproval } from '#src/generated/sdk.gen.ts';
import type { Approval } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Status } from '#src/look/status.tsx';
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
          <Change approval={approval} />
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
  const { person, permissions } = useSession();
  const queries = useQueryClient();
  const [open, setOpen] = useState<ApprovalAction>();
  const decision = useMutation({
    mutationFn: ({ action, reason }: { readonly action: ApprovalAction; readonly reason: string }) =>
      bodyOf(decide[action]({ path: { id: approval.id }, body: { reason } })),
    onSuccess: () => setOpen(undefined),
    onSettled: () => queries.invalidateQueries(),
  });
  const actions = actionsOf(approval, person.name, permissions);
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

function Change({ approval }: { readonly approval: Approval }) {
  const { texts } = useOperatorTexts();
  const { approvals } = texts;
  const shown = (value: unknown) => {
    const text = shownValue(value);
    return text === undefined ? <span className={styles['none']}>{approvals.none}</span> : <code>{text}</code>;
  };
  return (
    <RecordTable
      caption={approvals.kinds[approval.kind]}
      rows={differencesOf(approval)}
      keyOf={({ member }) => member}
      columns={[
        { heading: approvals.member, show: ({ member }) => <code>{member}</code> },
        { heading: approvals.before, show: ({ before }) => shown(before) },
        { heading: approvals.after, show: ({ after }) => shown(after) },
      ]}
    />
  );
}

function ApprovalFacts({ approval }: { readonly approval: Approval }) {
  const { texts, language } = useOperatorTexts();
  const { approvals, facts } = texts;
  const now = new Date();
  const { account_id: accountId, decided_by: decidedBy, failure } = approval;
  return (
    <Facts
      facts={[
        [approvals.target, <RecordId key="target" id={approval.target} />],
        [facts.account, accountId === null ? null : <RecordId key="account" id={accountId} />],
        [facts.environment, approval.environment],
        [approvals.reason, approval.reason],
        [
          facts.created,
          approvals.proposedBy(approval.proposed_by, formatAge(fromUnix(approval.created_at), now, language)),
        ],
        [
          facts.status,
          approval.state === 'PROPOSED'
            ? approvals.expires(formatAge(now, fromUnix(approval.expires_at), language))
            : approval.decided_at === null
              ? null
              : formatTime(fromUnix(approval.decided_at), language),
        ],
        [approvals.decided, decidedBy === null ? null : approvals.decidedBy(decidedBy)],
        [approvals.failure, failure?.message],
      ]}
    />
  );
}
