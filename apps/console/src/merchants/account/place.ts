import type { Environment } from '#src/generated/merchants/types.gen.ts';
import type { Membership } from '#src/session/session.tsx';

/** The account and the environment that a tab works in. Its address begins with them, and every request names them. */
export interface Place {
  readonly accountId: string;
  readonly environment: Environment;
}

const form = /^\/(acc_[0-9a-z]{26})\/(live|test)(?=\/|$)/;

/** Where an address leads: what stands below the place, `/payments`. */
interface Address {
  readonly place: Place | undefined;
  readonly below: string;
}

export function addressIn(pathname: string): Address {
  const [prefix = '', accountId, environment] = form.exec(pathname) ?? [];
  const below = pathname.slice(prefix.length) || '/';
  if (accountId === undefined) return { place: undefined, below };
  return { place: { accountId, environment: environment === 'live' ? 'live' : 'test' }, below };
}

export function baseOf({ accountId, environment }: Place): string {
  return `/${accountId}/${environment}`;
}

/** The same page in another place: the list, and not the record that is open, since there is none of it there. */
export function samePageIn(place: Place, below: string): string {
  const [, page = ''] = below.split('/');
  return `${baseOf(place)}/${page}`;
}

/** Where a person begins who has opened no place: where they were last, if they still belong there. */
export function firstPlace(memberships: readonly Membership[], last: string | null): Place | undefined {
  const { place } = addressIn(last ?? '');
  if (place && membershipIn(memberships, place)) return place;
  const [first] = memberships.filter(({ environments }) => environments.length > 0);
  if (!first) return undefined;
  return { accountId: first.account_id, environment: first.environments.includes('live') ? 'live' : 'test' };
}

/** What a person is in a place; undefined where they have no part. */
export function membershipIn(memberships: readonly Membership[], place: Place): Membership | undefined {
  const { accountId, environment } = place;
  return memberships.find((each) => each.account_id === accountId && each.environments.includes(environment));
}

/** As the server decides: what takes another person in live mode is done alone in test mode. */
export function isAllowed({ permissions }: Membership, permission: string, environment: Environment): boolean {
  if (!Object.hasOwn(permissions, permission)) return false;
  const grant = permissions[permission];
  return environment === 'test' || (grant !== 'test_only' && grant !== 'second_person');
}
