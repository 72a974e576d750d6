import type { File as StoredFile } from '#src/generated/merchants/types.gen.ts';

/** A file that is stored already, and that evidence can name. */
export type DraftFile = Pick<StoredFile, 'id' | 'name' | 'bytes' | 'sha256'>;

/** What has been typed to answer a dispute and was not sent yet. */
export interface EvidenceDraft {
  readonly text: string;
  /** One a line. */
  readonly urls: string;
  readonly files: readonly DraftFile[];
}

export const emptyDraft: EvidenceDraft = { text: '', urls: '', files: [] };

/** What this browser has kept for the dispute. */
export function readDraft(disputeId: string): EvidenceDraft {
  try {
    const kept = JSON.parse(localStorage.getItem(placeOf(disputeId)) ?? '{}') as Partial<EvidenceDraft>;
    return { ...emptyDraft, ...kept };
  } catch {
    // Another version of this page has written it.
    return emptyDraft;
  }
}

export function keepDraft(disputeId: string, draft: EvidenceDraft): void {
  const { text, urls, files } = draft;
  if (text === '' && urls === '' && files.length === 0) dropDraft(disputeId);
  else localStorage.setItem(placeOf(disputeId), JSON.stringify(draft));
}

export function dropDraft(disputeId: string): void {
  localStorage.removeItem(placeOf(disputeId));
}

function placeOf(disputeId: string): string {
  return `evidence ${disputeId}`;
}
