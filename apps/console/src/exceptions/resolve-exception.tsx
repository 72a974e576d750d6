import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { type Explanation, explanationsOf, resolutionOf } from '#src/exceptions/describe-exception.ts';
import { createExceptionResolution } from '#src/generated/sdk.gen.ts';
import type { ExceptionDetail, Resolution } from '#src/generated/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { Dialog, DialogButtons } from '#src/look/dialog.tsx';
import { Choice, TextArea } from '#src/look/field.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import { shortId } from '#src/records/short-id.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface ResolveExceptionProps {
  readonly detail: ExceptionDetail;
  readonly open: boolean;
  readonly onClose: () => void;
}

const noteLengthMax = 500;

/** Proposes how a difference is explained; another operator decides. */
export function ResolveException({ detail, open, onClose }: ResolveExceptionProps) {
  const { texts } = useOperatorTexts();
  const { resolve } = texts.exceptions;
  const { exception, candidates } = detail;
  const queries = useQueryClient();
  const [explanation, setExplanation] = useState<Explanation>();
  const [matchedWith, setMatchedWith] = useState<string>();
  const [note, setNote] = useState('');
  const propose = useMutation({
    mutationFn: (body: Resolution) => bodyOf(createExceptionResolution({ path: { id: exception.id }, body })),
    onSuccess: onClose,
    onSettled: () => queries.invalidateQueries({ queryKey: ['exception', exception.id] }),
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (explanation !== undefined && !propose.isPending) propose.mutate(resolutionOf(explanation, note, matchedWith));
  };
  const options = {
    match: { label: resolve.match, about: resolve.matchAbout },
    foreign: { label: resolve.foreign, about: resolve.foreignAbout },
    own_transfer: { label: resolve.declareTransfer, about: resolve.declareAbout },
    provider_fee: { label: resolve.declareFee, about: resolve.declareAbout },
  } as const;
  const faults = propose.error instanceof Refusal ? propose.error.faults : {};
  return (
    <Dialog open={open} onClose={onClose} title={resolve.title} about={resolve.about}>
      <form onSubmit={submit}>
        <Choice
          label={resolve.action}
          name="explanation"
          value={explanation}
          onChange={setExplanation}
          options={explanationsOf(detail).map((value) => ({ value, ...options[value] }))}
        />
        {explanation === 'match' ? (
          <Choice
            label={resolve.with}
            name="with"
            value={matchedWith}
            onChange={setMatchedWith}
            options={candidates.map(({ with: value, subject }) => ({ value, label: shortId(subject) }))}
          />
        ) : null}
        <TextArea
          label={resolve.note}
          fault={faults['note']}
          value={note}
          onChange={(event) => setNote(event.target.value)}
          maxLength={noteLengthMax}
          required
        />
        {propose.error ? <Failed error={propose.error} /> : null}
        <DialogButtons>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={propose.isPending}>
            {resolve.propose}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
