import { RouterProvider } from '@tanstack/react-router';
// First: it decides the order of the layers that the styles of all parts go into.
import '#src/look/layers.css';
import testIcon from '#src/look/icon-test.svg';
import { addressIn, baseOf } from '#src/merchants/account/place.ts';
import { WorkplaceGate } from '#src/merchants/account/workplace.tsx';
import { routerBelow } from '#src/merchants/routes.tsx';
import { startConsole } from '#src/session/start-console.tsx';
import { merchantTexts } from '#src/texts/merchants.ts';

/** For as long as the page is loaded it is of one account in one environment. */
const { place, below } = addressIn(window.location.pathname);

if (place?.environment === 'test') document.querySelector('link[rel=icon]')?.setAttribute('href', testIcon);

startConsole({
  textsOf: merchantTexts,
  headers: place ? { 'x-account': place.accountId, 'x-environment': place.environment } : {},
  pages: (
    <WorkplaceGate place={place} below={below}>
      <RouterProvider router={routerBelow(place ? baseOf(place) : '/')} />
    </WorkplaceGate>
  ),
});
