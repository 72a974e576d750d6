import type { routerBelow } from '#src/merchants/routes.tsx';
import type { router } from '#src/operators/routes.tsx';

/** Links name a page that one of the consoles has, with what that page takes. */
declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router | ReturnType<typeof routerBelow>;
  }
}
