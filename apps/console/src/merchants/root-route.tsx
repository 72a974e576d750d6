import { createRootRoute } from '@tanstack/react-router';
import { Shell } from '#src/merchants/shell.tsx';

/** What every page of the merchants' console stands in. */
export const root = createRootRoute({ component: Shell });

/** The parent of every page. */
export const getParentRoute = () => root;
