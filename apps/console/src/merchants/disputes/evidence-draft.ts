/** What has been typed to answer a dispute and was not sent yet. */
export interface EvidenceDraft {
  readonly text: string;
  /** One a line. */
  readonly urls: string;
}

const nothing: EvidenceDraft = { text: '', urls: '' };

/** What this browser has kept for the dispute. */
export function readDraft(disputeId: string): EvidenceDraft {
  const [text, urls] = (localStorage.getItem(placeOf(disputeId)) ?? '\0').split('\0');
  return { text: text ?? nothing.text, urls: urls ?? nothing.urls };
}

export function keepDraft(disputeId: string, { text, urls }: EvidenceDraft): void {
  if (text === '' && urls === '') dropDraft(disputeId);
  else localStorage.setItem(placeOf(disputeId), `${text}\0${urls}`);
}

export function dropDraft(disputeId: string): void {
  localStorage.removeItem(placeOf(disputeId));
}

function placeOf(disputeId: string): string {
  return `evidence ${disputeId}`;
}
