import type { ComponentProps, ReactNode } from 'react';
import { Dialog } from '#src/look/dialog.tsx';
import { DialogForm } from '#src/records/dialog-form.tsx';

interface AnsweredFormProps<Answer> extends Omit<ComponentProps<typeof DialogForm>, 'sending' | 'send'> {
  /** What sends the form, as a mutation without variables. */
  readonly sending: {
    readonly data: Answer | undefined;
    readonly isPending: boolean;
    readonly error: unknown;
    readonly mutate: () => void;
    readonly reset: () => void;
  };
  /** What stands in the place of the form once it is answered; a form without it is closed by who sends it. */
  readonly answered?: (answer: Answer) => {
    readonly title: string;
    readonly about: ReactNode;
    /** @param close ends the dialog, and forgets the answer */
    readonly body: (close: () => void) => ReactNode;
  };
}

/** A form over the page, and after its answer what there is to see of it. Closed, it is a form again. */
export function AnsweredForm<Answer>({ sending, answered, onClose, children, ...form }: AnsweredFormProps<Answer>) {
  const close = () => {
    onClose();
    sending.reset();
  };
  if (answered && sending.data !== undefined) {
    const { title, about, body } = answered(sending.data);
    return (
      <Dialog open={form.open} onClose={close} title={title} about={about}>
        {body(close)}
      </Dialog>
    );
  }
  return (
    <DialogForm {...form} onClose={close} sending={sending} send={() => sending.mutate()}>
      {children}
    </DialogForm>
  );
}
