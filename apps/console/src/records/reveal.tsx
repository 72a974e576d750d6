import { type SyntheticEvent, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { TextArea } from '#src/look/field.tsx';
import { useLanguage } from '#src/texts/language.tsx';

const reasonLengthMax = 200;

/** Why the personal data of a record is shown unmasked; undefined while it is masked. */
export interface Revealing {
  readonly reason: string | undefined;
  readonly reveal: (reason: string | undefined) => void;
}

/** Of the one record that a page shows: another page begins masked. */
export function useReveal(): Revealing {
  const [reason, reveal] = useState<string>();
  return { reason, reveal };
}

/** What a reading says that asks for personal data: the reason is in the audit trail before the answer. */
export function revealHeaders({ reason }: Pick<Revealing, 'reason'>): Record<string, string> {
  // A header takes Latin-1, and no line breaks.
  return reason === undefined ? {} : { 'x-reveal': reason.replace(/[^\x20-\x7e\xa0-\xff]+/g, ' ') };
}

/** Asks why, and shows the personal data of the record then. */
export function Reveal({ reveal: { reason, reveal } }: { readonly reveal: Revealing }) {
  const { texts } = useLanguage();
  const words = texts.reveal;
  const [isOpen, setOpen] = useState(false);
  const [typed, type] = useState('');
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    reveal(typed.trim());
    setOpen(false);
  };
  if (reason !== undefined) {
    return (
      <p>
        {words.shown} <Button onClick={() => reveal(undefined)}>{words.hide}</Button>
      </p>
    );
  }
  return (
    <p>
      {words.masked} <Button onClick={() => setOpen(true)}>{words.open}</Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={words.title} about={words.about}>
        <form onSubmit={submit}>
          <TextArea
            label={words.reason}
            value={typed}
            onChange={({ target }) => type(target.value)}
            maxLength={reasonLengthMax}
            required
          />
          <DialogButtons>
            <Button onClick={() => setOpen(false)}>{texts.cancel}</Button>
            <Button type="submit" look="primary">
              {words.confirm}
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
    </p>
  );
}
