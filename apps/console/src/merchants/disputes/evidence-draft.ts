import type { File as StoredFile } from '#src/generated/merchants/types.gen.ts';
import { draftPlace } from '#src/session/drafts.ts';

/** A file that is stored already, and that evidence can name. */
export type DraftFile = Pick<StoredFile, 'id' | 'name' | 'bytes' | 'sha256'>;

/** What has been typed to answer a dispute and was not sent yet. */
export interface EvidenceDraft {
  readonly text: string;
  /** One a line. */
  readonly urls: string;
  readonly files: readonly DraftFile[];
}

/** Who answers which dispute. */
interface Answering {
  readonly personId: string;
  readonly disputeId: string;
}

export const emptyDraft: EvidenceDraft = { text: '', urls: '', files: [] };

/** What this browser has kept for the dispute. */
export function readDraft(answering: Answering): EvidenceDraft {
  try {
    const kept = JSON.parse(localStorage.getItem(placeOf(answering)) ?? '{}') as Partial<EvidenceDraft>;
    return { ...emptyDraft, ...kept };
  } catch {
    // Another version of this page has written it.
    return emptyDraft;
  }
}

export function keepDraft(answering: Answering, draft: EvidenceDraft): void {
  const { text, urls, files } = draft;
  if (text === '' && urls === '' && files.length === 0) dropDraft(answering);
  else localStorage.setItem(placeOf(answering), JSON.stringify(draft));
}

/** After it was sent: what was typed since stays. */
export function dropSent(answering: Answering, sent: EvidenceDraft): void {
  if (JSON.stringify(readDraft(answering)) === JSON.stringify({ ...emptyDraft, ...sent })) dropDraft(answering);
}

function dropDraft(answering: Answering): void {
  localStorage.removeItem(placeOf(answering));
}

function placeOf({ personId, disputeId }: Answering): string {
  return draftPlace(personId, `evidence ${disputeId}`);
}
