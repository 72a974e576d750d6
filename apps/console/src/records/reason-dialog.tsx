import { type ReactNode, useState } from 'react';
import { TextArea } from '#src/look/field.tsx';
import { DialogForm } from '#src/records/dialog-form.tsx';
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
  /** What is decided, above the reason. */
  readonly children?: ReactNode;
}

/** Of a reason in an audit trail. */
export const reasonLengthMax = 500;

/** Asks why before something is decided. What was typed stays there until it has been done. */
export function ReasonDialog({ open, onClose, title, about, confirm, decision, children }: ReasonDialogProps) {
  const { texts } = useLanguage();
  const [reason, setReason] = useState('');
  return (
    <DialogForm
      open={open}
      onClose={onClose}
      title={title}
      about={about}
      confirm={confirm}
      sending={decision}
      send={() => decision.mutate(reason)}
    >
      {children}
      <TextArea
        label={texts.reasonFor}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        maxLength={reasonLengthMax}
        required
      />
    </DialogForm>
  );
}
