const beginning = 'draft ';

/** Where this browser keeps what a person has typed and not sent: no other person who signs in here is shown it. */
export function draftPlace(personId: string, what: string): string {
  return `${beginning}${personId} ${what}`;
}

/** Signing out leaves nothing that was typed. A session that has ended by itself does: the person goes on after it. */
export function dropDrafts(): void {
  const places = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
  for (const place of places) if (place.startsWith(beginning)) localStorage.removeItem(place);
}
