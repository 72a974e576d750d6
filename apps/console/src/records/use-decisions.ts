import { useState } from 'react';
import { useOneAfterOther } from '#src/records/use-one-after-other.ts';

/** Proposals of others that are selected in a list, to be decided together. */
export interface SelectedProposals<Proposal> {
  /** Those that wait for this person. */
  readonly proposals: readonly Proposal[];
  /** It begins anew, with none of them. */
  readonly onBegin: (how: Decided) => void;
  readonly onDecided: (id: string) => void;
}

type Decided = 'approved' | 'refused';

interface Decision<Proposal> {
  readonly proposal: Proposal;
  readonly reason: string;
}

/**
 * Decides what is selected in one dialog, one after the other, each by a call of its own that is confirmed by itself. Those
 * that are done leave the selection one by one: until all are, the dialog shows what was sent.
 */
export function useDecisions<Proposal extends { readonly id: string }>(
  how: Decided,
  { onBegin, onDecided }: Pick<SelectedProposals<Proposal>, 'onBegin' | 'onDecided'>,
  decide: (decision: Decision<Proposal>) => Promise<unknown>,
) {
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<readonly Proposal[]>([]);
  const decisions = useOneAfterOther({ act: decide, onDone: ({ proposal: { id } }) => onDecided(id) });
  return {
    isOpen,
    begin: () => {
      decisions.reset();
      onBegin(how);
      setOpen(true);
    },
    close: () => {
      // What is under way goes on without the dialog, which stays to show it.
      if (!decisions.isPending) setOpen(false);
    },
    send: (proposals: readonly Proposal[], reasonOf: (id: string) => string) => {
      setSent(proposals);
      const wanted = proposals.map((proposal) => ({ proposal, reason: reasonOf(proposal.id) }));
      decisions.mutate(wanted, { onSuccess: () => setOpen(false) });
    },
    decisions,
    /** What is being decided; undefined while nothing is. */
    sent: decisions.isPending ? sent : undefined,
  };
}

/** How many were decided since it began. */
export function useDecided(forget: (id: string) => void) {
  const [done, setDone] = useState<{ readonly how: Decided; readonly count: number }>();
  return {
    done,
    onBegin: (how: Decided) => setDone({ how, count: 0 }),
    onDecided: (id: string) => {
      forget(id);
      setDone((now) => now && { ...now, count: now.count + 1 });
    },
  };
}
