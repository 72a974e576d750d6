import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { approvalIn } from '#src/changes/approval-in.ts';
import { Proposed } from '#src/changes/proposed.tsx';
import { Button } from '#src/look/button.tsx';
import { Failed } from '#src/records/page-states.tsx';

interface ActProps<Answer> {
  readonly label: string;
  readonly look?: ComponentProps<typeof Button>['look'];
  readonly send: () => Promise<Answer>;
  /** What is to be known once it is done. */
  readonly done?: (answer: Answer) => ReactNode;
}

/** A button that does one thing at once, or proposes it; the page is read again afterwards. */
export function Act<Answer>({ label, look, send, done }: ActProps<Answer>) {
  const queries = useQueryClient();
  const act = useMutation({ mutationFn: send, onSettled: () => queries.invalidateQueries() });
  const approval = approvalIn(act.data);
  return (
    <>
      <Button {...(look === undefined ? {} : { look })} busy={act.isPending} onClick={() => act.mutate()}>
        {label}
      </Button>
      {approval === undefined ? null : <Proposed approvalId={approval} />}
      {act.isSuccess && done ? <span role="status">{done(act.data)}</span> : null}
      {act.error ? <Failed error={act.error} /> : null}
    </>
  );
}
