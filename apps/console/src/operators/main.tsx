import { RouterProvider } from '@tanstack/react-router';
// First: it decides the order of the layers that the styles of all parts go into.
import '#src/look/layers.css';
import { router } from '#src/operators/routes.tsx';
import { startConsole } from '#src/session/start-console.tsx';
import { operatorTexts } from '#src/texts/operators.ts';

startConsole({ textsOf: operatorTexts, pages: <RouterProvider router={router} /> });
