import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    // Chromium's sandbox does not work for root, and not in every container.
    args: ['--no-sandbox'],
  });
}

/** What a bundle says first on a page of its own: so many lines, or fewer and the error that ends it. */
export async function saidOnPage(browser, file, count = 1) {
  const page = await browser.newPage();
  const lines = [];
  const said = new Promise((resolve) => {
    page.on('console', (message) => {
      if (lines.push(message.text()) === count) resolve();
    });
    page.on('pageerror', (error) => {
      lines.push(`${error}`);
      resolve();
    });
  });
  await page.addScriptTag({ content: readFileSync(file, 'utf8'), type: 'module' });
  await said;
  await page.close();
  return lines;
}
