import { Failed, Notice } from '#src/records/page-states.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { useLanguage } from '#src/texts/language.tsx';

/** Why nothing came of a passkey: what the server answers, or that the browser's question was left or ran out of time. */
export function PasskeyFailed({ error }: { readonly error: unknown }) {
  const { texts } = useLanguage();
  if (error === null || error === undefined) return null;
  return error instanceof Refusal ? <Failed error={error} /> : <Notice>{texts.session.noPasskey}</Notice>;
}
