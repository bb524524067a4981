import type { Page } from '@playwright/test';

/** What a document that is opened offline says of itself until it hears otherwise. */
const offlineFromTheStart = `
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false });
  addEventListener('online', () => delete navigator.onLine, { once: true });
`;

/**
 * Without a connection, until what it gives is called. With each document Chromium (150) forgets that it was told to call itself
 * offline, though nothing gets through all the while: so each is told. That may come after the app has looked, which would then
 * go where nothing can be fetched, so each says it of itself first.
 */
export async function goOffline(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  const line = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
  const say = (offline: boolean) => devtools.send('Network.overrideNetworkState', { offline, ...line });
  // One that was left meanwhile needs no telling.
  const tell = () => void say(true).catch(() => {});
  page.on('domcontentloaded', tell);
  await devtools.send('Page.enable');
  const script = await devtools.send('Page.addScriptToEvaluateOnNewDocument', {
    source: offlineFromTheStart,
  });
  await page.context().setOffline(true);
  return async () => {
    page.off('domcontentloaded', tell);
    await devtools.send('Page.removeScriptToEvaluateOnNewDocument', script);
    // The page asks at once when it hears of it.
    await page.context().setOffline(false);
    await say(false);
  };
}
