import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA, and what axe counts as good practice. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Every element is looked at by every rule; only of what is in order no list is made, nor a selector of any element: that took
 * as long as looking.
 */
const options = { runOnly: standards, resultTypes: ['violations'], selectors: false };

/** What keeps people out of the page as it is now: a line per rule and element. */
export async function barriersOn(page: Page): Promise<string[]> {
  // Evaluated by the browser itself, which the page's policy does not restrict.
  await page.evaluate(axe.source);
  const lines = 'violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))';
  const found = `({ violations, passes }) => ({ barriers: ${lines}, passed: passes.length })`;
  const run = `axe.run(document, ${JSON.stringify(options)}).then(${found})`;
  const { barriers, passed } = await page.evaluate<{ barriers: string[]; passed: number }>(run);
  if (passed === 0) throw new Error('axe has looked at nothing');
  return barriers;
}

/**
 * What is lost to people whose own few colours a page is shown in (CSS Color Adjustment 1, 3): shapes of the colour of their
 * ground, and what is chosen where it looks like what is not. Text is theirs already.
 */
const lostInForcedColors = `(() => {
  const ground = getComputedStyle(document.body).backgroundColor;
  const isShown = (element) => element.getClientRects().length > 0;
  const shapes = [...document.querySelectorAll('main svg *')].filter(isShown).filter((shape) => {
    const { fill, stroke } = getComputedStyle(shape);
    return [fill, stroke].every((paint) => paint === 'none' || paint === ground) && !shape.previousElementSibling;
  });
  const look = (element) => {
    const { borderBottomColor, backgroundColor, color, textDecorationLine } = getComputedStyle(element);
    return [borderBottomColor, backgroundColor, color, textDecorationLine].join(' ');
  };
  const chosen = [...document.querySelectorAll('nav [aria-current]:not([aria-current=false])')].filter((current) => {
    const other = current.closest('nav').querySelector('a:not([aria-current]), a[aria-current=false]');
    return isShown(current) && other && look(other) === look(current);
  });
  return [...shapes, ...chosen].map((element) => element.outerHTML.slice(0, 200));
})()`;

/** What of a page as it is now cannot be made out in the colours of its reader. */
export async function lostTo(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const lost = await page.evaluate<string[]>(lostInForcedColors);
  await page.emulateMedia({ forcedColors: 'none' });
  return lost;
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
