import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { aboutOf, explanationsOf, toneOf } from '#src/exceptions/describe-exception.ts';
import { ExceptionSides } from '#src/exceptions/exception-sides.tsx';
import { ResolveException } from '#src/exceptions/resolve-exception.tsx';
import { getException } from '#src/generated/sdk.gen.ts';
import type { Exception, ExceptionDetail } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Money } from '#src/money/money.tsx';
import { AccountLink } from '#src/records/account-link.tsx';
import { Attention } from '#src/records/attention.tsx';
import { Facts } from '#src/records/facts.tsx';
import { RecordHeading } from '#src/records/record-heading.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { ShowRecord } from '#src/records/show-record.tsx';
import { useSession } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';
import { formatTime } from '#src/texts/time.ts';

/** One difference, followed to its lines: what each side has of it, and how it can be explained. */
export function ShowException({ id }: { readonly id: string }) {
  const { texts } = useOperatorTexts();
  const { exceptions } = texts;
  return (
    <ShowRecord
      queryKey={['exception', id]}
      read={(signal) => bodyOf(getException({ path: { id }, signal }))}
      heading={({ exception }) => (
        <RecordHeading
          kind={exceptions.one}
          record={exception}
          tone={toneOf[exception.status]}
          state={exceptions.status[exception.status]}
        />
      )}
    >
      {(detail) => (
        <>
          <WhatToDo detail={detail} />
          <ExceptionFacts exception={detail.exception} />
          <ExceptionSides detail={detail} />
        </>
      )}
    </ShowRecord>
  );
}

/** The reason, as long as it stands, and the next step: a proposal, or the decision about one. */
function WhatToDo({ detail }: { readonly detail: ExceptionDetail }) {
  const { texts } = useOperatorTexts();
  const { exceptions } = texts;
  const { permissions } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { exception } = detail;
  const { reason, status, proposal } = exception;
  if (status === 'RESOLVED' || status === 'EXPLAINED') return null;
  const mayPropose = status === 'OPEN' && Object.hasOwn(permissions, 'money:propose');
  return (
    <>
      <Attention reason={`${exceptions.reason[reason]}.`}>
        {status === 'PROPOSED' ? (
          <p>
            {exceptions.waits}{' '}
            {proposal?.approval_id ? (
              <Link to="/approvals/$id" params={{ id: proposal.approval_id }}>
                {exceptions.decide}
              </Link>
            ) : null}
          </p>
        ) : null}
      </Attention>
      {mayPropose && explanationsOf(detail).length > 0 ? (
        <p>
          <Button look="primary" onClick={() => setOpen(true)}>
            {exceptions.resolve.open}
          </Button>
        </p>
      ) : null}
      <ResolveException detail={detail} open={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function ExceptionFacts({ exception }: { readonly exception: Exception }) {
  const { texts, language } = useOperatorTexts();
  const { exceptions, facts } = texts;
  const { account_id: accountId, currency, resolved_at: resolvedAt } = exception;
  const money = (amount: number) => <Money amount={amount} currency={currency} />;
  const about = aboutOf(exception.subject, exceptions.item);
  return (
    <Facts
      facts={[
        [exceptions.lineAmount, money(exception.line_cents)],
        [exceptions.recordAmount, money(exception.record_cents)],
        [exceptions.ledgerAmount, money(exception.ledger_cents)],
        [facts.kind, about && exceptions.item[about.kind]],
        [exceptions.about, <RecordId key="subject" id={exception.subject} />],
        [facts.provider, exception.provider],
        [facts.account, accountId === null ? null : <AccountLink key="account" id={accountId} />],
        [facts.environment, texts.environment[exception.environment]],
        [facts.created, formatTime(new Date(exception.opened_at), language)],
        [exceptions.note, exception.proposal?.note],
        [
          exceptions.status[exception.status],
          resolvedAt === null
            ? null
            : [formatTime(new Date(resolvedAt), language), exception.proposed_by, exception.resolved_by]
                .filter((part) => part !== null)
                .join(' · '),
        ],
      ]}
    />
  );
}
