import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, type SyntheticEvent, useState } from 'react';
import { approvalIn } from '#src/changes/approval-in.ts';
import { Proposed } from '#src/changes/proposed.tsx';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { TextArea } from '#src/look/field.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

const reasonLengthMax = 500;

interface ChangeProps<Answer> {
  /** On the button that opens it. */
  readonly open: string;
  readonly look?: ComponentProps<typeof Button>['look'];
  readonly title: string;
  /** What follows from it, before it is done. */
  readonly about: ReactNode;
  readonly confirm: string;
  /** Whether it is sent with a reason, which then is asked for last, under the name `reason`. */
  readonly hasReason?: boolean;
  /** Fields, each with its name. */
  readonly children?: ReactNode;
  readonly send: (typed: FormData) => Promise<Answer>;
  /** What the answer has that is shown this once; without it, and without a proposal, the dialog closes. */
  readonly done?: (answer: Answer) => ReactNode;
}

/**
 * A button, and the form over the page in which a change is typed and sent. What was typed stays until it is answered; an
 * answer that is a proposal leads to where another operator decides it.
 */
export function Change<Answer>(props: ChangeProps<Answer>) {
  const { open, look, title, about, confirm, hasReason = false, children, send, done } = props;
  const { texts } = useOperatorTexts();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const change = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      if (done === undefined && approvalIn(answer) === undefined) setOpen(false);
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const begin = () => {
    change.reset();
    setOpen(true);
  };
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!change.isPending) change.mutate(new FormData(event.currentTarget));
  };
  const close = () => setOpen(false);
  const approval = approvalIn(change.data);
  return (
    <>
      <Button {...(look === undefined ? {} : { look })} onClick={begin}>
        {open}
      </Button>
      <Dialog open={isOpen} onClose={close} title={title} about={change.isSuccess ? null : about}>
        {change.isSuccess ? (
          <>
            {approval === undefined ? done?.(change.data) : <Proposed approvalId={approval} />}
            <DialogButtons>
              <Button look="primary" onClick={close}>
                {texts.changes.close}
              </Button>
            </DialogButtons>
          </>
        ) : (
          <form onSubmit={submit}>
            {children}
            {hasReason ? <TextArea name="reason" label={texts.reasonFor} maxLength={reasonLengthMax} required /> : null}
            {change.error ? <Failed error={change.error} /> : null}
            <DialogButtons>
              <Button onClick={close}>{texts.cancel}</Button>
              <Button type="submit" look={look === 'danger' ? 'danger' : 'primary'} busy={change.isPending}>
                {confirm}
              </Button>
            </DialogButtons>
          </form>
        )}
      </Dialog>
    </>
  );
}
