import type { ReactNode, SyntheticEvent } from 'react';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { ListName } from '#src/records/list-view.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { useLanguage } from '#src/texts/language.tsx';

interface DialogFormProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly about: ReactNode;
  /** On the button that sends it. */
  readonly confirm: string;
  /** What is being sent, or could not be. */
  readonly sending: { readonly isPending: boolean; readonly error: unknown };
  /** Whether what is typed can be sent, where more than the fields' own rules says so. */
  readonly isComplete?: boolean;
  readonly send: () => void;
  readonly children: ReactNode;
}

/** A form over the page, which is sent once at a time and keeps what is typed until it is answered. */
export function DialogForm(props: DialogFormProps) {
  const { open, onClose, title, about, confirm, sending, isComplete = true, send, children } = props;
  const { texts } = useLanguage();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!sending.isPending && isComplete) send();
  };
  return (
    <Dialog open={open} onClose={onClose} title={title} about={about}>
      <form onSubmit={submit}>
        {/* What is decided is shown whole, however its list is looked at. */}
        <ListName value={undefined}>{children}</ListName>
        {sending.error ? <Failed error={sending.error} /> : null}
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={sending.isPending}>
            {confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
