import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
// First: it decides the order of the layers that the styles of all parts go into.
import '#src/look/layers.css';
import { client } from '#src/generated/client.gen.ts';
import { keepFocus } from '#src/look/keep-focus.ts';
import { router } from '#src/operators/routes.tsx';
import { Refusal } from '#src/records/refusal.ts';
import { consoleFetch } from '#src/session/console-fetch.ts';
import { SessionGate, sessionKey } from '#src/session/session-gate.tsx';
import { confirmStepUp, StepUpDialog } from '#src/session/step-up.tsx';
import { Welcome } from '#src/session/welcome.tsx';
import { LanguageProvider } from '#src/texts/language.tsx';

const readTriesMax = 3;

/** Reads are repeated when a service is away for a moment; writes never by themselves. */
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (tries, error) =>
        tries < readTriesMax && error instanceof Refusal && (error.isUnknown || error.status === 503),
    },
    mutations: { retry: false },
  },
});

client.setConfig({
  baseUrl: window.location.origin,
  fetch: consoleFetch((input, init) => fetch(input, init), {
    confirm: confirmStepUp,
    ended: () => void queries.invalidateQueries({ queryKey: sessionKey }),
  }),
});

keepFocus(document, 'content');

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <LanguageProvider>
          <QueryClientProvider client={queries}>
            {window.location.pathname === '/welcome' ? (
              <Welcome />
            ) : (
              <SessionGate>
                <RouterProvider router={router} />
              </SessionGate>
            )}
            <StepUpDialog />
          </QueryClientProvider>
        </LanguageProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
