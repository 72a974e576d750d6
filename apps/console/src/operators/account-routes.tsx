import { createRoute } from '@tanstack/react-router';
import type { ActivityQuery } from '#src/accounts/show-account-activity.tsx';
import type { AccountStatementQuery } from '#src/accounts/show-account-statement.tsx';
import type { AccountsQuery } from '#src/accounts/list-accounts.tsx';
import type { AccountDeliveriesQuery } from '#src/accounts/show-account-webhook.tsx';
import type { WebhooksQuery } from '#src/accounts/show-account-webhooks.tsx';
import {
  accountFilters,
  activityFilters,
  accountStatementFilters,
  accountWebhookFilters,
  deliveryFilters,
} from '#src/operators/addresses.ts';
import { lazyPage } from '#src/records/lazy-page.ts';
import { getParentRoute } from '#src/operators/root-route.tsx';

const ListAccounts = lazyPage(async () => (await import('#src/accounts/list-accounts.tsx')).ListAccounts);
const ShowAccount = lazyPage(async () => (await import('#src/accounts/show-account.tsx')).ShowAccount);
const ShowActivity = lazyPage(
  async () => (await import('#src/accounts/show-account-activity.tsx')).ShowAccountActivity,
);
const ShowStatement = lazyPage(
  async () => (await import('#src/accounts/show-account-statement.tsx')).ShowAccountStatement,
);
const ShowAccess = lazyPage(async () => (await import('#src/accounts/show-access.tsx')).ShowAccess);
const ShowWebhooks = lazyPage(
  async () => (await import('#src/accounts/show-account-webhooks.tsx')).ShowAccountWebhooks,
);
const ShowWebhook = lazyPage(async () => (await import('#src/accounts/show-account-webhook.tsx')).ShowAccountWebhook);
const ShowDelivery = lazyPage(
  async () => (await import('#src/accounts/show-account-delivery.tsx')).ShowAccountDelivery,
);

export const accounts = createRoute({
  getParentRoute,
  path: '/accounts',
  validateSearch: (given): AccountsQuery => accountFilters(given),
  component: function Accounts() {
    return <ListAccounts query={accounts.useSearch()} />;
  },
});

export const account = createRoute({
  getParentRoute,
  path: '/accounts/$id',
  component: function Account() {
    const { id } = account.useParams();
    return <ShowAccount key={id} id={id} />;
  },
});

export const accountActivity = createRoute({
  getParentRoute,
  path: '/accounts/$id/activity',
  validateSearch: (given): ActivityQuery => activityFilters(given),
  component: function AccountActivity() {
    const { id } = accountActivity.useParams();
    return <ShowActivity key={id} id={id} query={accountActivity.useSearch()} />;
  },
});

export const accountStatement = createRoute({
  getParentRoute,
  path: '/accounts/$id/statement',
  validateSearch: (given): AccountStatementQuery => accountStatementFilters(given),
  component: function AccountStatement() {
    const { id } = accountStatement.useParams();
    return <ShowStatement key={id} id={id} query={accountStatement.useSearch()} />;
  },
});

export const access = createRoute({
  getParentRoute,
  path: '/accounts/$id/access',
  component: function Access() {
    const { id } = access.useParams();
    return <ShowAccess key={id} id={id} />;
  },
});

export const accountWebhooks = createRoute({
  getParentRoute,
  path: '/accounts/$id/webhooks',
  validateSearch: (given): WebhooksQuery => accountWebhookFilters(given),
  component: function AccountWebhooks() {
    const { id } = accountWebhooks.useParams();
    return <ShowWebhooks key={id} id={id} query={accountWebhooks.useSearch()} />;
  },
});

export const accountWebhook = createRoute({
  getParentRoute,
  path: '/accounts/$id/webhooks/$webhookId',
  validateSearch: (given): AccountDeliveriesQuery => deliveryFilters(given),
  component: function AccountWebhook() {
    const { id, webhookId } = accountWebhook.useParams();
    return <ShowWebhook key={webhookId} id={id} webhookId={webhookId} query={accountWebhook.useSearch()} />;
  },
});

export const accountDelivery = createRoute({
  getParentRoute,
  path: '/accounts/$id/deliveries/$deliveryId',
  component: function AccountDelivery() {
    const { id, deliveryId } = accountDelivery.useParams();
    return <ShowDelivery key={deliveryId} id={id} deliveryId={deliveryId} />;
  },
});
