import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { type PaymentsQuery, paymentFilters } from '#src/merchants/addresses.ts';
import { Home } from '#src/merchants/home/home.tsx';
import { ListPayments } from '#src/merchants/payments/list-payments.tsx';
import { ShowPayment } from '#src/merchants/payments/show-payment.tsx';
import { FindRecords } from '#src/merchants/search/find-records.tsx';
import { Shell } from '#src/merchants/shell.tsx';
import { MySignIn } from '#src/session/my-sign-in.tsx';

const root = createRootRoute({ component: Shell });
const getParentRoute = () => root;

const home = createRoute({ getParentRoute, path: '/', component: Home });

const mySignIn = createRoute({ getParentRoute, path: '/me', component: MySignIn });

const search = createRoute({
  getParentRoute,
  path: '/search',
  validateSearch: ({ q }): { q: string } => ({ q: typeof q === 'string' || typeof q === 'number' ? String(q) : '' }),
  component: function Search() {
    const { q } = search.useSearch();
    return <FindRecords key={q} q={q} />;
  },
});

const payments = createRoute({
  getParentRoute,
  path: '/payments',
  validateSearch: (given): PaymentsQuery => paymentFilters(given),
  component: function Payments() {
    return <ListPayments query={payments.useSearch()} />;
  },
});

const payment = createRoute({
  getParentRoute,
  path: '/payments/$id',
  component: function Payment() {
    const { id } = payment.useParams();
    return <ShowPayment key={id} id={id} />;
  },
});

const routeTree = root.addChildren([home, mySignIn, search, payments, payment]);

/**
 * Every page of the merchants' console.
 *
 * @param basepath the account and the environment that they are of
 */
export function routerBelow(basepath: string) {
  return createRouter({ routeTree, basepath });
}
