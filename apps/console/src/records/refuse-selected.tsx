import { type ReactNode, useState } from 'react';
import { Button } from '#src/look/button.tsx';
import { TextArea } from '#src/look/field.tsx';
import { DialogForm } from '#src/records/dialog-form.tsx';
import { reasonLengthMax } from '#src/records/reason-dialog.tsx';
import styles from '#src/records/record-list.module.css';
import { type SelectedProposals, useDecisions } from '#src/records/use-decisions.ts';
import { useLanguage } from '#src/texts/language.tsx';

interface RefuseSelectedProps<Proposal> extends SelectedProposals<Proposal> {
  readonly words: {
    readonly refuse: (count: number) => string;
    readonly refuseAbout: string;
    readonly confirmRefusal: (count: number) => string;
  };
  readonly refuse: (proposal: Proposal, reason: string) => Promise<unknown>;
  /** A proposal, named by its place as the field of its reason is. */
  readonly show: (proposal: Proposal, nth: number) => ReactNode;
}

/** Refuses what is selected, each for a reason of its own, and each confirmed by itself. */
export function RefuseSelected<Proposal extends { readonly id: string }>(props: RefuseSelectedProps<Proposal>) {
  const { proposals, words, refuse, show } = props;
  const { texts } = useLanguage();
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const reasonOf = (id: string) => reasons[id] ?? '';
  const { isOpen, begin, close, send, decisions, sent } = useDecisions<Proposal>(
    'refused',
    props,
    ({ proposal, reason }) => refuse(proposal, reason),
  );
  const shown = sent ?? proposals;
  return (
    <>
      {proposals.length === 0 ? null : <Button onClick={begin}>{words.refuse(proposals.length)}</Button>}
      <DialogForm
        open={isOpen}
        onClose={close}
        title={words.confirmRefusal(shown.length)}
        about={words.refuseAbout}
        confirm={words.confirmRefusal(shown.length)}
        sending={decisions}
        send={() => send(proposals, reasonOf)}
      >
        {shown.map((proposal, index) => (
          <section key={proposal.id} className={styles['proposal']}>
            {show(proposal, index + 1)}
            <TextArea
              label={`${index + 1}. ${texts.reasonFor}`}
              value={reasonOf(proposal.id)}
              onChange={({ target }) => setReasons({ ...reasons, [proposal.id]: target.value })}
              maxLength={reasonLengthMax}
              required
            />
          </section>
        ))}
      </DialogForm>
    </>
  );
}
