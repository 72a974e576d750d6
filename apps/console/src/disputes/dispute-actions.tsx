import { Change } from '#src/changes/change.tsx';
import { Changes } from '#src/changes/changes.tsx';
import { MoneyField } from '#src/changes/fields.tsx';
import { ResolveOutcome } from '#src/changes/resolve-outcome.tsx';
import { amountIn } from '#src/changes/typed.ts';
import { ReadKeptFile } from '#src/disputes/read-kept-file.tsx';
import { confirmDisputeEvidence, resolveDispute } from '#src/generated/sdk.gen.ts';
import type { OperatorDispute } from '#src/generated/types.gen.ts';
import { SubmitEvidence } from '#src/disputes/submit-evidence.tsx';
import { formatMoney } from '#src/money/format-money.ts';
import { deadlineOf } from '#src/records/deadline-of.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { useMay } from '#src/session/session.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface DisputeActionsProps {
  readonly dispute: OperatorDispute;
  readonly now: Date;
}

/** What this person can do with a dispute: answer it before its deadline, and what waits for an operator. */
export function DisputeActions({ dispute, now }: DisputeActionsProps) {
  const { texts, language } = useOperatorTexts();
  const may = useMay();
  const { id, attention, currency, evidence } = dispute;
  const { confirmEvidence, resolve } = texts.disputes;
  const isOpen = dispute.status === 'OPEN' || dispute.status === 'UNDER_ANALYSIS';
  const outcomes = {
    stands: { value: 'stands', label: resolve.stands, about: resolve.standsAbout },
    won: { value: 'won', label: resolve.won, about: resolve.wonAbout },
    lost: { value: 'lost', label: resolve.lost, about: resolve.lostAbout },
  } as const;
  return (
    <Changes>
      {attention === 'evidence' && may('operations:write') ? (
        <Change
          open={confirmEvidence.open}
          look="primary"
          title={confirmEvidence.title}
          about={confirmEvidence.about}
          confirm={confirmEvidence.confirm}
          send={() => bodyOf(confirmDisputeEvidence({ path: { id } }))}
        />
      ) : null}
      {attention === 'evidence' && may('pii:reveal')
        ? evidence
            .flatMap(({ files }) => files)
            .filter(({ status }) => status === 'KEPT')
            .map((file) => <ReadKeptFile key={file.id} disputeId={id} file={file} />)
        : null}
      {isOpen && deadlineOf(dispute, now)?.isPast !== true && may('operations:write') ? (
        <SubmitEvidence disputeId={id} />
      ) : null}
      <ResolveOutcome
        amount={formatMoney(dispute.amount_cents, currency, language)}
        outcomes={dispute.outcomes.map((value) => outcomes[value])}
        send={(stated, typed) => {
          const lost = stated.outcome === 'lost' ? { lost_cents: amountIn(typed, 'lost_cents', currency) } : {};
          return bodyOf(resolveDispute({ path: { id }, body: { ...stated, ...lost } }));
        }}
      >
        <MoneyField name="lost_cents" label={resolve.lostPart} currency={currency} hint={resolve.lostPartHint} />
      </ResolveOutcome>
    </Changes>
  );
}
