import { CSPProvider } from '@base-ui/react/csp-provider';
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentProps, type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from '#src/generated/client.gen.ts';
import { keepFocus } from '#src/look/keep-focus.ts';
import { Refusal } from '#src/records/refusal.ts';
import { consoleFetch } from '#src/session/console-fetch.ts';
import { SessionGate, sessionKey } from '#src/session/session-gate.tsx';
import { confirmStepUp, StepUpDialog } from '#src/session/step-up.tsx';
import { Welcome } from '#src/session/welcome.tsx';
import { LanguageProvider } from '#src/texts/language.tsx';

interface Console {
  readonly textsOf: ComponentProps<typeof LanguageProvider>['textsOf'];
  /** What every request of the pages says besides. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For those who have signed in. */
  readonly pages: ReactNode;
}

const readTriesMax = 3;

/** Shows a console in the page: the way in, and behind it its pages. */
export function startConsole({ textsOf, headers = {}, pages }: Console): void {
  const root = document.getElementById('root');
  if (!root) return;
  const queries = queriesOfConsole();
  client.setConfig({
    baseUrl: window.location.origin,
    headers,
    fetch: consoleFetch((input, init) => fetch(input, init), {
      confirm: confirmStepUp,
      ended: () => void queries.invalidateQueries({ queryKey: sessionKey }),
    }),
  });
  keepFocus(document, 'content');
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <LanguageProvider textsOf={textsOf}>
          <QueryClientProvider client={queries}>
            {window.location.pathname === '/welcome' ? <Welcome /> : <SessionGate>{pages}</SessionGate>}
            <StepUpDialog />
          </QueryClientProvider>
        </LanguageProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

/**
 * Reads are repeated when a service is away for a moment; writes never by themselves. What no page shows is dropped by every
 * change: a list that is opened next begins without the rows of before it, among which may be what has just ended.
 */
function queriesOfConsole(): QueryClient {
  const queries: QueryClient = new QueryClient({
    mutationCache: new MutationCache({ onSettled: () => queries.removeQueries({ type: 'inactive' }) }),
    defaultOptions: {
      queries: {
        retry: (tries, error) =>
          tries < readTriesMax && error instanceof Refusal && (error.isUnknown || error.status === 503),
      },
      mutations: { retry: false },
    },
  });
  return queries;
}
