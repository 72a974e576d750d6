const parameter = 'sign-in';
const outcomes = ['passkey', 'refused', 'unavailable'] as const;

/** What came of a sign-in at the issuer that has begun no session. */
export type Landed = (typeof outcomes)[number];

/** What the address that the gateway has led to states of a sign-in; undefined of every other address. */
export function landedIn(search: string): Landed | undefined {
  const given = new URLSearchParams(search).get(parameter);
  return outcomes.find((outcome) => outcome === given);
}

const kept = 'invitation';

/** Keeps the secret of a link in this tab while the person is at the issuer, which sends the browser back without it. */
export function keepInvitation(token: string): void {
  window.sessionStorage.setItem(kept, token);
}

/** The secret that was kept; the empty text where none was. */
export function keptInvitation(): string {
  return window.sessionStorage.getItem(kept) ?? '';
}

export function forgetInvitation(): void {
  window.sessionStorage.removeItem(kept);
}
