/** In place of the service worker when it has to go: it takes over at once, empties what was kept, and ends itself. */
interface Worker {
  registration: ServiceWorkerRegistration;
  skipWaiting(): Promise<void>;
  addEventListener(
    kind: string,
    listener: (event: Event & { waitUntil(work: Promise<unknown>): void }) => void,
  ): void;
}

const worker = self as unknown as Worker;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(leave()));

async function leave(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
  await worker.registration.unregister();
}

export {};
