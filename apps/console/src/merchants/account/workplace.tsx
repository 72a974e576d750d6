import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo } from 'react';
import type { Environment } from '#src/generated/merchants/types.gen.ts';
import { baseOf, firstPlace, isAllowed, membershipIn, type Place } from '#src/merchants/account/place.ts';
import { LonePage } from '#src/session/lone-page.tsx';
import { type OwnAccount, readOwnAccounts } from '#src/session/session-api.ts';
import { type Membership, useSession } from '#src/session/session.tsx';
import { useMerchantTexts } from '#src/texts/merchants.ts';

const accountsKey = ['own-accounts'] as const;
const refetchMs = 60_000;
const storedAs = 'place';

/** Where the person works, and what they may do there. */
interface Workplace {
  readonly place: Place;
  readonly environment: Environment;
  readonly may: (permission: string) => boolean;
}

const WorkplaceContext = createContext<Workplace | undefined>(undefined);

interface WorkplaceGateProps {
  /** As the address says; undefined where it names none. */
  readonly place: Place | undefined;
  /** What stands behind the place in the address. */
  readonly below: string;
  readonly children: ReactNode;
}

/** The pages of an account for those who belong to it; all others are led to one of their own. */
export function WorkplaceGate({ place, below, children }: WorkplaceGateProps) {
  const { accounts } = useSession();
  const { texts } = useMerchantTexts();
  const own = firstPlace(accounts, localStorage.getItem(storedAs));
  const membership = place && membershipIn(accounts, place);
  const elsewhere = !place && own ? `${baseOf(own)}${below}${window.location.search}` : undefined;
  useEffect(() => {
    if (elsewhere !== undefined) window.location.replace(elsewhere);
  }, [elsewhere]);
  if (elsewhere !== undefined) return null;
  if (place && membership) {
    return (
      <WithWorkplace place={place} membership={membership}>
        {children}
      </WithWorkplace>
    );
  }
  const { account } = texts;
  return (
    <LonePage title={own ? account.notYours : account.none}>
      <p>{own ? account.notYoursAbout : account.noneAbout}</p>
      {own ? <a href={`${baseOf(own)}/`}>{account.toYours}</a> : null}
    </LonePage>
  );
}

interface WithWorkplaceProps {
  readonly place: Place;
  readonly membership: Membership;
  readonly children: ReactNode;
}

function WithWorkplace({ place, membership, children }: WithWorkplaceProps) {
  const { environment } = place;
  useEffect(() => localStorage.setItem(storedAs, baseOf(place)), [place]);
  const workplace = useMemo(() => {
    const may = (permission: string) => isAllowed(membership, permission, environment);
    return { place, environment, may };
  }, [place, environment, membership]);
  return <WorkplaceContext value={workplace}>{children}</WorkplaceContext>;
}

export function useWorkplace(): Workplace {
  const workplace = use(WorkplaceContext);
  if (!workplace) throw new Error('no WorkplaceGate above this component');
  return workplace;
}

/** The accounts of the person by name, with what an operator has stopped; undefined until they are read. */
export function useOwnAccounts(): readonly OwnAccount[] | undefined {
  const { data } = useQuery({
    queryKey: accountsKey,
    queryFn: ({ client }) => readOwnAccounts(client.getQueryData(accountsKey) !== undefined),
    refetchInterval: refetchMs,
  });
  return data;
}
