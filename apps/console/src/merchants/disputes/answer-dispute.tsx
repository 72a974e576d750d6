import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { submitDisputeEvidence } from '#src/generated/merchants/sdk.gen.ts';
import type { Dispute } from '#src/generated/merchants/types.gen.ts';
import { Button } from '#src/look/button.tsx';
import { TextArea } from '#src/look/field.tsx';
import { useWorkplace } from '#src/merchants/account/workplace.tsx';
import { contract } from '#src/merchants/contract.ts';
import {
  dropSent,
  emptyDraft,
  type EvidenceDraft,
  keepDraft,
  readDraft,
} from '#src/merchants/disputes/evidence-draft.ts';
import { EvidenceFiles } from '#src/merchants/disputes/evidence-files.tsx';
import styles from '#src/merchants/disputes/answer-dispute.module.css';
import { SectionName } from '#src/records/page-name.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { bodyOf, Refusal } from '#src/records/refusal.ts';
import page from '#src/records/record-page.module.css';
import { useSession } from '#src/session/session.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const textLengthMax = 4_000;

interface AnswerDisputeProps {
  readonly dispute: Dispute;
  readonly queryKey: readonly string[];
}

/**
 * Answers a dispute: what is typed is kept in this browser until it has been sent. When no answer came the dispute is read
 * again, whose evidence says whether it was taken; nothing is sent a second time by itself.
 */
export function AnswerDispute({ dispute, queryKey }: AnswerDisputeProps) {
  const { texts } = useMerchantTexts();
  const { environment } = useWorkplace();
  const { answer: words } = texts.disputes;
  const queries = useQueryClient();
  const { id } = dispute;
  const { id: personId } = useSession().person;
  const [typed, setTyped] = useState(() => readDraft({ personId, disputeId: id }));
  const [storing, setStoring] = useState<readonly string[]>([]);
  useEffect(() => keepDraft({ personId, disputeId: id }, typed), [personId, id, typed]);
  const send = useMutation({
    mutationFn: (answer: EvidenceDraft) => {
      const urls = answer.urls.split(/\s+/).filter((url) => url !== '');
      const files = answer.files.map((file) => ({ id: file.id, sha256: file.sha256 }));
      const body = { text: answer.text, urls, files };
      return bodyOf(submitDisputeEvidence({ path: { id }, body, headers: contract }));
    },
    // What was typed while it was under way was not sent, and stays.
    onSuccess: (_answer, sent) => {
      setTyped((now) => (now === sent ? emptyDraft : now));
      // The page may be closed by now.
      dropSent({ personId, disputeId: id }, sent);
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  const isBusy = send.isPending || storing.length > 0;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (!isBusy) send.mutate(typed);
  };
  return (
    <section className={page['section']}>
      <SectionName>{words.title}</SectionName>
      <form className={styles['form']} onSubmit={submit}>
        <TextArea
          label={texts.disputes.evidenceText}
          hint={words.textHint}
          value={typed.text}
          onChange={({ target }) => setTyped((now) => ({ ...now, text: target.value }))}
          fault={faultOf(send.error, 'text')}
          rows={6}
          maxLength={textLengthMax}
          required
        />
        <TextArea
          label={words.urls}
          hint={words.urlsHint}
          value={typed.urls}
          onChange={({ target }) => setTyped((now) => ({ ...now, urls: target.value }))}
          fault={faultOf(send.error, 'urls')}
          rows={2}
          spellCheck={false}
        />
        <EvidenceFiles
          files={typed.files}
          onChange={(change) => setTyped((now) => ({ ...now, files: change(now.files) }))}
          fault={faultOf(send.error, 'files')}
          storing={storing}
          onStoring={setStoring}
          isBusy={isBusy}
        />
        {send.error ? <Failed error={send.error} /> : null}
        <div className={styles['send']}>
          <Button type="submit" look="primary" busy={isBusy}>
            {words.send[environment]}
          </Button>
          <p role="status">{send.isSuccess ? words.sent : typed.text === '' ? '' : words.draft}</p>
        </div>
      </form>
    </section>
  );
}

/** What the server says is wrong with a member, or with a part of it. */
function faultOf(error: unknown, member: string): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  return Object.entries(error.faults).find(([path]) => path.startsWith(member))?.[1];
}
