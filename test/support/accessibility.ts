import axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA, and what axe counts as good practice. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What keeps people out of the page as it is now: a line per rule and element. */
export async function barriersOn(page: Page): Promise<string[]> {
  // Evaluated by the browser itself, which the page's policy does not restrict.
  await page.evaluate(axe.source);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(standards)} })`;
  const { violations, passes } = await page.evaluate<AxeResults>(run);
  if (passes.length === 0) throw new Error('axe has looked at nothing');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** What assistive technology finds on a page as it is laid out now: how many of each role. */
export async function rolesOn(page: Page): Promise<Readonly<Record<string, number>>> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const roles = nodes.filter(({ ignored }) => !ignored).map(({ role }) => String(role?.value));
  return Object.fromEntries(
    Object.entries(Object.groupBy(roles, (role) => role)).map(([role, of]) => [role, of?.length ?? 0]),
  );
}
