import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { eventually } from '@gateway/test-kit';

/**
 * On a page whose first example is in three languages: it is copied as it is shown, its language is chosen by mouse and by
 * keyboard, for all examples of the page and for the next page too, and what a reader looks at stays where it is.
 */
export async function expectCodeToBeReadable(page: Page, nextPage: string): Promise<void> {
  const example = page.locator('.example').nth(1);
  const tab = (name: string) => example.getByRole('tab', { name });
  await tab('Shell').waitFor();
  const shown = () => example.getByRole('tabpanel').locator('pre').textContent();
  expect(await shown()).toContain('api /v1/');

  await tab('TypeScript').scrollIntoViewIfNeeded();
  const before = await tab('TypeScript').boundingBox();
  await tab('TypeScript').click();
  const after = await tab('TypeScript').boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  expect(await shown()).toContain('await gateway.');
  for (const each of await page.locator('.example').all())
    expect(await each.getByRole('tab', { selected: true }).textContent()).toBe('TypeScript');

  await tab('TypeScript').press('ArrowRight');
  expect(await shown()).toContain('print(');
  await tab('Python').press('ArrowRight');
  expect(await tab('Shell').getAttribute('aria-selected')).toBe('true');
  await tab('Shell').press('End');
  expect(await page.locator(':focus').textContent()).toBe('Python');

  const copy = example.locator('button.copy');
  await copy.click();
  await eventually(async () => expect(await copy.textContent()).toBe('Copied'));
  expect(await page.getByRole('status').filter({ hasText: 'Copied' }).count()).toBe(1);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe((await shown())?.trimEnd());
  await eventually(async () => expect(await copy.textContent()).toBe('Copy'));

  await page.goto(nextPage);
  await page.locator('.example').first().getByRole('tab', { name: 'Python', selected: true }).waitFor();
}
