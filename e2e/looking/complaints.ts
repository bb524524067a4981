import { type BrowserContext, expect } from '@playwright/test';

/** What a page says that was cut off from the server, of whatever it was just asking for. */
export const unreachable = [
  /ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|FAILED|CONNECTION_RESET|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE)/,
  /(Error fetching|could not be checked).*ApiUnreachable/s,
];

/** Whatever a browser finds wrong with the site. A test passes only if there was nothing, or what it announced. */
export interface Complaints {
  watch(context: BrowserContext): Promise<void>;
  /** The test provokes a complaint: it must come, and then counts no more. */
  announce(...texts: RegExp[]): void;
  /** The line that the browser itself writes for an answer with this status. */
  announceStatus(status: number): void;
  /** May come or not: whether it does depends on how the test is watched. */
  tolerate(...texts: RegExp[]): void;
  add(text: string): void;
  /** Fails on what was not announced, and on what was announced and did not come. */
  settle(): void;
}

export function collectComplaints(siteUrl: string): Complaints {
  const complaints: string[] = [];
  const announced: RegExp[] = [];
  const tolerated: RegExp[] = [];

  function isForeign(address: string): boolean {
    const { protocol, origin } = new URL(address);
    return !['data:', 'blob:', 'about:'].includes(protocol) && origin !== new URL(siteUrl).origin;
  }

  return {
    async watch(context) {
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
          reportError(new Error(`Content-Security-Policy: ${effectiveDirective} refuses ${blockedURI}`));
        });
      });
      context.on('console', (message) => {
        const hydration = /hydrat|did not match/i.test(message.text());
        if (message.type() !== 'error' && !hydration) return;
        complaints.push(`console: ${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (error) => complaints.push(`page error: ${error.error().stack}`));
      context.on('request', (request) => {
        if (isForeign(request.url())) complaints.push(`request to another host: ${request.url()}`);
      });
    },
    announce: (...texts) => void announced.push(...texts),
    announceStatus: (status) => void announced.push(new RegExp(`status of ${status} `)),
    tolerate: (...texts) => void tolerated.push(...texts),
    add: (text) => void complaints.push(text),
    settle() {
      const unannounced = complaints.filter(
        (text) => ![...announced, ...tolerated].some((known) => known.test(text)),
      );
      const missing = announced.filter((known) => !complaints.some((text) => known.test(text)));
      // As one text, whose beginning is what a shortened report shows.
      expect(unannounced.join('\n'), 'complaints that the test did not announce').toBe('');
      expect(missing, 'announced complaints that did not come').toEqual([]);
    },
  };
}
