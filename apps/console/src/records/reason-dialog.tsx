import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { TextArea } from '#src/look/field.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { useLanguage } from '#src/texts/language.tsx';

interface ReasonDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly about: ReactNode;
  /** The button that does it. */
  readonly confirm: string;
  readonly decision: {
    readonly mutate: (reason: string) => void;
    readonly isPending: boolean;
    readonly error: unknown;
  };
}

const reasonLengthMax = 500;

/** Asks why before something is decided. What was typed stays there until it has been done. */
export function ReasonDialog({ open, onClose, title, about, confirm, decision }: ReasonDialogProps) {
  const { texts } = useLanguage();
  const [reason, setReason] = useState('');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!decision.isPending) decision.mutate(reason);
  };
  return (
    <Dialog open={open} onClose={onClose} title={title} about={about}>
      <form onSubmit={submit}>
        <TextArea
          label={texts.reasonFor}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          maxLength={reasonLengthMax}
          required
        />
        {decision.error ? <Failed error={decision.error} /> : null}
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={decision.isPending}>
            {confirm}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
