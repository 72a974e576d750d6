import { Change } from '#src/changes/change.tsx';
import { textIn } from '#src/changes/typed.ts';
import { getDisputeFile } from '#src/generated/sdk.gen.ts';
import { saveFile } from '#src/look/save-file.ts';
import { bodyOf } from '#src/records/refusal.ts';
import { revealHeaders } from '#src/records/reveal.tsx';
import { useOperatorTexts } from '#src/texts/operators.ts';

interface ReadKeptFileProps {
  readonly disputeId: string;
  readonly file: { readonly id: string; readonly name: string };
}

/** Saves a file of the evidence that is to be handed over by hand; why it is read is in the audit trail before it is there. */
export function ReadKeptFile({ disputeId, file: { id: fileId, name } }: ReadKeptFileProps) {
  const { texts } = useOperatorTexts();
  const words = texts.disputes.readFile;
  const read = async (typed: FormData) => {
    const headers = revealHeaders({ reason: textIn(typed, 'reason') });
    const content = await bodyOf(getDisputeFile({ path: { id: disputeId, fileId }, headers, parseAs: 'blob' }));
    saveFile(content as unknown as Blob, name);
  };
  return (
    <Change open={words.open(name)} title={name} about={words.about} confirm={words.confirm} hasReason send={read} />
  );
}
