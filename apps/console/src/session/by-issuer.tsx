import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '#src/look/button.tsx';
import { Failed } from '#src/records/page-states.tsx';
import { issuerAddress, readIssuer } from '#src/session/session-api.ts';
import { useLanguage } from '#src/texts/language.tsx';

interface ByIssuerProps {
  /** Of a person who enrols: the secret of the link. */
  readonly invitation?: string;
  /** Called before the browser leaves for the issuer. */
  readonly onLeave?: () => void;
}

/** The issuer of this console; undefined where there is none, or while that is not known. */
export function useIssuer(): { readonly name: string } | undefined {
  const { data } = useQuery({ queryKey: ['issuer'], queryFn: readIssuer, staleTime: Infinity, retry: false });
  return data ?? undefined;
}

/** The way over the issuer of this console; nothing where none is configured. */
export function ByIssuer({ invitation, onLeave }: ByIssuerProps) {
  const { texts } = useLanguage();
  const { issuer: words } = texts.session;
  const issuer = useIssuer();
  const leave = useMutation({
    mutationFn: () => issuerAddress(invitation),
    onSuccess: (address) => {
      onLeave?.();
      window.location.assign(address);
    },
  });
  if (!issuer) return null;
  return (
    <>
      <Button busy={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        {words.signIn(issuer.name)}
      </Button>
      {leave.error ? <Failed error={leave.error} /> : null}
    </>
  );
}
