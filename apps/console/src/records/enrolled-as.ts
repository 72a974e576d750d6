interface Enrolled {
  readonly passkey_label: string | null;
  readonly subject: string | null;
}

/**
 * What an inviter asks the person about before confirming it: what it called the passkey, and who it is at the issuer where
 * it has signed in there.
 */
export function enrolledAs({ passkey_label: label, subject }: Enrolled): string {
  const known = [label, subject].filter((each) => each !== null);
  return known.length === 0 ? '–' : known.join(' · ');
}
