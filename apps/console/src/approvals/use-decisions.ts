import { useState } from 'react';
import type { Approval } from '#src/generated/types.gen.ts';
import { useOneAfterOther } from '#src/records/use-one-after-other.ts';

export interface SelectedApprovals {
  /** Those that wait for this operator and are selected. */
  readonly approvals: readonly Approval[];
  /** It begins anew, with none of them. */
  readonly onBegin: (how: Decided) => void;
  readonly onDecided: (id: string) => void;
}

export type Decided = 'approved' | 'refused';

interface Decision {
  readonly id: string;
  readonly reason: string;
}

/**
 * Decides what is selected in one dialog, one after the other, each by a call of its own that is confirmed by itself. Those
 * that are done leave the selection one by one: until all are, the dialog shows what was sent.
 */
export function useDecisions(
  how: Decided,
  { approvals, onBegin, onDecided }: SelectedApprovals,
  decide: (decision: Decision) => Promise<unknown>,
) {
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<readonly Approval[]>([]);
  const decisions = useOneAfterOther({ act: decide, onDone: ({ id }: Decision) => onDecided(id) });
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
    send: (reasonOf: (id: string) => string) => {
      setSent(approvals);
      const wanted = approvals.map(({ id }) => ({ id, reason: reasonOf(id) }));
      decisions.mutate(wanted, { onSuccess: () => setOpen(false) });
    },
    decisions,
    shown: decisions.isPending ? sent : approvals,
  };
}
