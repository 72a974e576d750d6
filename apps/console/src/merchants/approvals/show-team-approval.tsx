import { Link } from '@tanstack/react-router';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { DecideTeamApproval } from '#src/merchants/approvals/decide-team-approval.tsx';
import {
  getTeamApproval,
  type ProposedPayout,
  type TeamApproval,
  type TeamOutcome,
  teamApprovalsKey,
  toneOf,
} from '#src/merchants/approvals/team-approval.ts';
import { Totals } from '#src/merchants/approvals/totals.tsx';
import { Status } from '#src/look/status.tsx';
import { Money } from '#src/money/money.tsx';
import { EnvironmentBadge } from '#src/records/environment-badge.tsx';
import { Facts } from '#src/records/facts.tsx';
import { Notice } from '#src/records/page-states.tsx';
import { PersonalData } from '#src/records/personal-data.tsx';
import { RecordId } from '#src/records/record-id.tsx';
import styles from '#src/records/record-page.module.css';
import { RecordTable } from '#src/records/record-table.tsx';
import { ShowRecord } from '#src/records/show-record.tsx';
import { shortId } from '#src/records/short-id.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

const underWayRefetchMs = 2_000;

/** One proposal: exactly what would be done, what it adds up to, and the decision about it. */
export function ShowTeamApproval({ id }: { readonly id: string }) {
  const { texts } = useMerchantTexts();
  const { may } = useWorkplace();
  const { approvals } = texts;
  const queryKey = [teamApprovalsKey, id];
  return (
    <ShowRecord
      queryKey={queryKey}
      read={(signal) => getTeamApproval(id, signal)}
      refetchMs={({ state }) => (state === 'APPLYING' ? underWayRefetchMs : false)}
      heading={(approval) => <Heading approval={approval} />}
    >
      {(approval) => (
        <>
          {approval.actions.includes('withdraw') ? <Notice>{approvals.own}</Notice> : null}
          {approval.failure === null ? null : <Notice>{approval.failure.message}</Notice>}
          <DecideTeamApproval approval={approval} queryKey={queryKey} />
          <ApprovalFacts approval={approval} />
          {approval.kind === 'team.payouts' ? (
            <Payouts
              rows={approval.request.payouts}
              outcomes={approval.outcome?.payouts ?? []}
              fresh={approval.new_recipients ?? []}
            />
          ) : null}
          {approval.kind === 'team.payouts' && may('pii:reveal') ? (
            <PersonalData id={id} read={(headers, signal) => getTeamApproval(id, signal, headers)}>
              {(revealed) => (revealed.kind === 'team.payouts' ? <Recipients rows={revealed.request.payouts} /> : null)}
            </PersonalData>
          ) : null}
        </>
      )}
    </ShowRecord>
  );
}

function Heading({ approval }: { readonly approval: TeamApproval }) {
  const { texts } = useMerchantTexts();
  const { approvals } = texts;
  const { id, kind, totals, state, environment } = approval;
  const title = approvals.kinds[kind](totals.reduce((sum, { count }) => sum + count, 0));
  return (
    <header className={styles['heading']}>
      <title>{`${title} · ${texts.product}`}</title>
      <p className={styles['kind']}>{title}</p>
      <h1>
        {approval.kind === 'team.key' || approval.kind === 'team.owner' ? (
          approval.request.name
        ) : (
          <Totals totals={totals} />
        )}
      </h1>
      <Status tone={toneOf[state]} word={approvals.state[state]} />
      {environment === null ? null : <EnvironmentBadge environment={environment} />}
      <RecordId id={id} />
    </header>
  );
}

function ApprovalFacts({ approval }: { readonly approval: TeamApproval }) {
  const { texts, language } = useMerchantTexts();
  const { approvals, facts, payments, records } = texts;
  const refund = approval.kind === 'team.refund' ? approval.request : undefined;
  const key = approval.kind === 'team.key' ? approval.request : undefined;
  const issued = approval.kind === 'team.key' ? approval.outcome?.public_key : undefined;
  const owner = approval.kind === 'team.owner' ? approval.request : undefined;
  const made = approval.kind === 'team.refund' ? (approval.outcome?.refund.id ?? null) : null;
  return (
    <Facts
      facts={[
        [approvals.proposer, approval.proposed_by],
        [facts.created, formatTime(fromUnix(approval.created_at), language)],
        [approvals.expires, approval.state === 'PROPOSED' ? formatTime(fromUnix(approval.expires_at), language) : null],
        [
          payments.one,
          refund ? (
            <Link key="payment" to="/payments/$id" params={{ id: refund.deposit_id }}>
              <code title={refund.deposit_id}>{shortId(refund.deposit_id)}</code>
            </Link>
          ) : null,
        ],
        [facts.externalId, refund?.external_id],
        [approvals.scopes, key && (key.scopes?.join(', ') ?? approvals.everything)],
        [approvals.allowlist, key && (key.ip_allowlist.length > 0 ? key.ip_allowlist.join(', ') : approvals.anywhere)],
        [approvals.roles, owner?.roles.join(', ')],
        [
          texts.developers.one,
          issued === undefined ? null : (
            <Link key="issued" to="/developers/$id" params={{ id: issued }}>
              <code title={issued}>{shortId(issued)}</code>
            </Link>
          ),
        ],
        [records.reason, refund?.reason ?? approval.reason],
        [texts.refunds.one, made === null ? null : <RecordId key="refund" id={made} />],
        [approvals.decider, approval.decided_by],
        [approvals.decisionReason, approval.decision_reason],
      ]}
    />
  );
}

interface PayoutsProps {
  readonly rows: readonly ProposedPayout[];
  readonly outcomes: readonly TeamOutcome[];
  /** Of those whose recipient is new. */
  readonly fresh: readonly string[];
}

/** Whom each payout would go to, unmasked. */
function Recipients({ rows }: { readonly rows: readonly ProposedPayout[] }) {
  const { texts } = useMerchantTexts();
  const { facts, payments } = texts;
  return (
    <RecordTable
      caption={facts.recipient}
      rows={rows}
      keyOf={({ external_id: externalId }) => externalId}
      columns={[
        { heading: facts.externalId, show: ({ external_id: externalId }) => externalId },
        { heading: facts.recipient, show: ({ recipient }) => recipient.name ?? '–' },
        { heading: payments.document, show: ({ recipient }) => recipient.document ?? '–' },
        { heading: facts.key, show: ({ payout_key: key }) => key },
      ]}
    />
  );
}

/** Each payout as it would be made, or what became of it. */
function Payouts({ rows, outcomes, fresh }: PayoutsProps) {
  const { texts } = useMerchantTexts();
  const { approvals, facts, payments, payouts } = texts;
  const outcomeOf = ({ external_id: externalId }: ProposedPayout) => {
    const outcome = outcomes.find((each) => each.external_id === externalId);
    if (!outcome) return '–';
    if (outcome.id === null) return outcome.failure?.message ?? '–';
    return (
      <Link to="/payouts/$id" params={{ id: outcome.id }}>
        <code title={outcome.id}>{shortId(outcome.id)}</code>
      </Link>
    );
  };
  return (
    <section className={styles['section']}>
      <h2>{payouts.title}</h2>
      <RecordTable
        caption={payouts.title}
        rows={rows}
        keyOf={({ external_id: externalId }) => externalId}
        columns={[
          { heading: facts.externalId, show: ({ external_id: externalId }) => externalId },
          {
            heading: facts.recipient,
            show: ({ recipient, external_id: reference }) => (
              <>
                {recipient.name ?? '–'}{' '}
                {fresh.includes(reference) ? <Status tone="info" word={approvals.isNew} /> : null}
              </>
            ),
          },
          { heading: payments.document, show: ({ recipient }) => recipient.document ?? '–' },
          { heading: facts.key, show: ({ payout_key: key, payout_key_type: type }) => `${key} (${type})` },
          {
            heading: facts.amount,
            align: 'right',
            show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          { heading: approvals.outcome, show: outcomeOf },
        ]}
      />
    </section>
  );
}
