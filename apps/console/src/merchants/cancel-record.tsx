import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { Failed } from '#src/records/page-states.tsx';

interface CancelRecordProps {
  readonly words: {
    readonly open: string;
    readonly title: string;
    /** What follows from it. */
    readonly about: string;
    readonly keep: string;
    readonly confirm: Readonly<Record<'live' | 'test', string>>;
  };
  readonly send: () => Promise<unknown>;
  /** Of the record, which is read again afterwards. */
  readonly queryKey: readonly string[];
}

/** Calls a record off that has not been carried out. */
export function CancelRecord({ words, send, queryKey }: CancelRecordProps) {
  const { environment } = useWorkplace();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const cancel = useMutation({
    mutationFn: send,
    onSuccess: () => setOpen(false),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        {words.open}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={words.title} about={words.about}>
        {cancel.error ? <Failed error={cancel.error} /> : null}
        <DialogButtons>
          <Button onClick={() => setOpen(false)}>{words.keep}</Button>
          <Button look="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            {words.confirm[environment]}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
