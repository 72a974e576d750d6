import { Change } from '#src/changes/change.tsx';
import { textIn } from '#src/changes/typed.ts';
import { createDisputeFile, submitDisputeEvidence } from '#src/generated/sdk.gen.ts';
import { TextArea, TextField } from '#src/look/field.tsx';
import { bodyOf } from '#src/records/refusal.ts';
import { useOperatorTexts } from '#src/texts/operators.ts';

const textLengthMax = 4_000;

/**
 * Answers a dispute for its merchant, who sees it there. Files are stored one after the other before the text is sent: repeated
 * after a refusal, what is stored already is the same file.
 */
export function SubmitEvidence({ disputeId: id }: { readonly disputeId: string }) {
  const { texts } = useOperatorTexts();
  const { submit, evidenceText, files: filesLabel } = texts.disputes;
  const send = async (typed: FormData) => {
    const files: { readonly id: string; readonly sha256: string }[] = [];
    for (const file of typed.getAll('files')) {
      // A field without files has one without a name.
      if (!(file instanceof File) || file.name === '') continue;
      const { id: fileId, sha256 } = await bodyOf(createDisputeFile({ path: { id }, body: { file } }));
      files.push({ id: fileId, sha256 });
    }
    return await bodyOf(submitDisputeEvidence({ path: { id }, body: { text: textIn(typed, 'text'), files } }));
  };
  return (
    <Change open={submit.open} title={submit.title} about={submit.about} confirm={submit.confirm} send={send}>
      <TextArea name="text" label={evidenceText} hint={submit.textHint} rows={6} maxLength={textLengthMax} required />
      <TextField
        name="files"
        label={filesLabel}
        hint={submit.filesHint}
        type="file"
        accept="application/pdf,image/png,image/jpeg"
        multiple
      />
    </Change>
  );
}
