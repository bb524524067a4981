import { describe, expect, it } from 'vitest';
import { transportOptions } from './smtp.ts';

describe('the SMTP transport', () => {
  it('never sends a password over a network without TLS', () => {
    expect(transportOptions('smtp://user:secret@relay.example.com:587').requireTLS).toBe(true);
    expect(transportOptions('smtp://user:secret@127.0.0.1:2525').requireTLS).toBe(false);
    expect(transportOptions('smtp://user:secret@[::1]:2525').requireTLS).toBe(false);
    expect(transportOptions('smtp://relay.internal').requireTLS).toBe(false);
  });

  it('waits half a minute at most for a server that says nothing', () => {
    const { connectionTimeout, greetingTimeout, socketTimeout, dnsTimeout } =
      transportOptions('smtp://127.0.0.1');
    expect(Math.max(connectionTimeout, greetingTimeout, socketTimeout, dnsTimeout)).toBeLessThanOrEqual(
      30_000,
    );
  });
});
