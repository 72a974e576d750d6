import { createRoute } from '@tanstack/react-router';
import type { ConversionsQuery } from '#src/conversions/list-conversions.tsx';
import type { UnreadQuery } from '#src/feeds/list-feeds.tsx';
import type { LettersQuery } from '#src/letters/list-letters.tsx';
import { conversionFilters, letterFilters, receiptFilters, unreadFilters } from '#src/operators/addresses.ts';
import { lazyPage } from '#src/records/lazy-page.ts';
import { getParentRoute } from '#src/operators/root-route.tsx';
import type { ReceiptsQuery } from '#src/receipts/list-receipts.tsx';

const ListReceipts = lazyPage(async () => (await import('#src/receipts/list-receipts.tsx')).ListReceipts);
const ShowReceipt = lazyPage(async () => (await import('#src/receipts/show-receipt.tsx')).ShowReceipt);
const ListConversions = lazyPage(async () => (await import('#src/conversions/list-conversions.tsx')).ListConversions);
const ShowConversion = lazyPage(async () => (await import('#src/conversions/show-conversion.tsx')).ShowConversion);
const ListProviders = lazyPage(async () => (await import('#src/providers/list-providers.tsx')).ListProviders);
const ShowProvider = lazyPage(async () => (await import('#src/providers/show-provider.tsx')).ShowProvider);
const ListLetters = lazyPage(async () => (await import('#src/letters/list-letters.tsx')).ListLetters);
const ShowLetter = lazyPage(async () => (await import('#src/letters/show-letter.tsx')).ShowLetter);
const ListFeeds = lazyPage(async () => (await import('#src/feeds/list-feeds.tsx')).ListFeeds);

export const receipts = createRoute({
  getParentRoute,
  path: '/orphan-receipts',
  validateSearch: (given): ReceiptsQuery => receiptFilters(given),
  component: function Receipts() {
    return <ListReceipts query={receipts.useSearch()} />;
  },
});

export const receipt = createRoute({
  getParentRoute,
  path: '/orphan-receipts/$id',
  component: function Receipt() {
    const { id } = receipt.useParams();
    return <ShowReceipt key={id} id={id} />;
  },
});

export const conversions = createRoute({
  getParentRoute,
  path: '/conversions',
  validateSearch: (given): ConversionsQuery => conversionFilters(given),
  component: function Conversions() {
    return <ListConversions query={conversions.useSearch()} />;
  },
});

export const conversion = createRoute({
  getParentRoute,
  path: '/conversions/$id',
  component: function Conversion() {
    const { id } = conversion.useParams();
    return <ShowConversion key={id} id={id} />;
  },
});

export const providers = createRoute({ getParentRoute, path: '/providers', component: ListProviders });

export const provider = createRoute({
  getParentRoute,
  path: '/providers/$environment/$id',
  component: function Provider() {
    const { environment, id } = provider.useParams();
    const place = environment === 'test' ? 'test' : 'live';
    return <ShowProvider key={`${place}/${id}`} environment={place} id={id} />;
  },
});

export const letters = createRoute({
  getParentRoute,
  path: '/dead-letters',
  validateSearch: (given): LettersQuery => letterFilters(given),
  component: function Letters() {
    const query = letters.useSearch();
    // What is selected is of the page that is shown.
    return <ListLetters key={JSON.stringify(query)} query={query} />;
  },
});

export const letter = createRoute({
  getParentRoute,
  path: '/dead-letters/$id',
  component: function Letter() {
    const { id } = letter.useParams();
    return <ShowLetter key={id} id={id} />;
  },
});

export const feeds = createRoute({
  getParentRoute,
  path: '/unread-items',
  validateSearch: (given): UnreadQuery => unreadFilters(given),
  component: function Feeds() {
    return <ListFeeds query={feeds.useSearch()} />;
  },
});
