import type { OperatorTexts } from '#src/texts/operators-en.ts';

type Address =
  | ('/' | '/stuck' | '/approvals')
  | ('/deposits' | '/payouts' | '/refunds' | '/disputes' | '/orphan-receipts' | '/conversions')
  | ('/reconciliation' | '/exceptions' | '/statement-days' | '/statement-files')
  | ('/accounts' | '/providers' | '/dead-letters' | '/unread-items' | '/requests')
  | ('/people' | '/service-tokens' | '/sign-ins' | '/audit');

/** A page that the navigation leads to. */
interface Destination {
  readonly page: Exclude<keyof OperatorTexts['nav'], 'groups' | 'menu'>;
  readonly to: Address;
  /** The filters that the page begins with. */
  readonly search?: object;
  /** The letter that leads there after `g`. */
  readonly key: string;
  /** What the page takes; the others take what every operator has. */
  readonly needs?: string;
}

interface Group {
  readonly name: keyof OperatorTexts['nav']['groups'];
  readonly pages: readonly Destination[];
}

const operations = 'operations:read';
const persons = 'people:read';

const groups: readonly Group[] = [
  {
    name: 'now',
    pages: [
      { page: 'overview', to: '/', key: 'o' },
      { page: 'stuck', to: '/stuck', key: 's' },
      { page: 'approvals', to: '/approvals', search: { state: 'PROPOSED' }, key: 'a' },
    ],
  },
  {
    name: 'records',
    pages: [
      { page: 'deposits', to: '/deposits', key: 'd' },
      { page: 'payouts', to: '/payouts', key: 'p' },
      { page: 'refunds', to: '/refunds', key: 'r' },
      { page: 'disputes', to: '/disputes', key: 'm' },
      { page: 'receipts', to: '/orphan-receipts', key: 'w' },
      { page: 'conversions', to: '/conversions', key: 'v' },
    ],
  },
  {
    name: 'books',
    pages: [
      { page: 'reconciliation', to: '/reconciliation', key: 'b', needs: operations },
      { page: 'exceptions', to: '/exceptions', search: { status: 'OPEN' }, key: 'e', needs: operations },
      { page: 'days', to: '/statement-days', key: 'y', needs: operations },
      { page: 'files', to: '/statement-files', key: 'f', needs: operations },
    ],
  },
  {
    name: 'gateway',
    pages: [
      { page: 'accounts', to: '/accounts', key: 'c' },
      { page: 'providers', to: '/providers', key: 'i', needs: operations },
      { page: 'letters', to: '/dead-letters', search: { status: 'WAITING' }, key: 'l', needs: operations },
      { page: 'feeds', to: '/unread-items', key: 'n', needs: operations },
      { page: 'requests', to: '/requests', key: 'z', needs: 'webhooks:read' },
    ],
  },
  {
    name: 'control',
    pages: [
      { page: 'people', to: '/people', key: 'u', needs: persons },
      { page: 'tokens', to: '/service-tokens', key: 't', needs: persons },
      { page: 'signIns', to: '/sign-ins', key: 'h', needs: persons },
      { page: 'audit', to: '/audit', key: 'q', needs: 'audit:read' },
    ],
  },
];

/** The pages of the console for those who may see them, in the order of use. */
export function navigationFor(may: (permission: string) => boolean): readonly Group[] {
  const allowed = groups.map(({ name, pages }) => ({
    name,
    pages: pages.filter(({ needs }) => needs === undefined || may(needs)),
  }));
  return allowed.filter(({ pages }) => pages.length > 0);
}
