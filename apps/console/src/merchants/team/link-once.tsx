import { SecretOnce } from '#src/merchants/secret-once.tsx';
import type { InvitationLink } from '#src/merchants/team/team.ts';
import { useMerchantTexts } from '#src/texts/merchants.ts';
import { formatTime, fromUnix } from '#src/texts/time.ts';

interface LinkOnceProps {
  readonly link: InvitationLink;
  readonly onKept: () => void;
}

/** The link by which a person enrols: it is shown this once, opens once, and gives nothing before it is confirmed. */
export function LinkOnce({ link: { token, ends_at: endsAt }, onKept }: LinkOnceProps) {
  const { texts, language } = useMerchantTexts();
  const { team } = texts;
  return (
    <>
      <p>{team.linkUntil(formatTime(fromUnix(endsAt), language))}</p>
      <SecretOnce secret={`${window.location.origin}/welcome#${token}`} what={team.link} onKept={onKept} />
    </>
  );
}
