import { describe, expect, it } from 'vitest';
import { transportOptions } from './smtp.ts';

describe('the SMTP transport', () => {
  it('never sends a password over a network without TLS', () => {
    expect(transportOptions('smtp://user:secret@relay.example.com:587').requireTLS).toBe(true);
    expect(transportOptions('smtp://user:secret@127.0.0.1:2525').requireTLS).toBe(false);
    expect(transportOptions('smtp://user:secret@[::1]:2525').requireTLS).toBe(false);
    expect(transportOptions('smtp://relay.internal').requireTLS).toBe(false);
  });

  it('waits five seconds at most for a server that does not greet, and twenty for one that falls silent', () => {
    const { connectionTimeout, greetingTimeout, socketTimeout, dnsTimeout } =
      transportOptions('smtp://127.0.0.1');
    expect(Math.max(connectionTimeout, greetingTimeout, dnsTimeout)).toBeLessThanOrEqual(5_000);
    expect(socketTimeout).toBeLessThanOrEqual(20_000);
  });
});
