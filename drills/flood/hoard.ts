/** Loaded before a server whose memory has to be seen to grow: it keeps something of every request, up to a gigabyte. */
import { subscribe } from 'node:diagnostics_channel';

const kept: Buffer[] = [];
const keptMax = 16_000;
subscribe('http.server.request.start', () => {
  if (kept.length < keptMax) kept.push(Buffer.alloc(64 * 1024, 1));
});
