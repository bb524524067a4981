import pg from 'pg';

/** What the driver gives a query of the connection that it runs on; its types leave this out. */
interface Wire {
  stream: {
    pause(): void;
    resume(): void;
    writableNeedDrain: boolean;
    once(event: 'drain', heard: () => void): void;
  };
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(why: string): void;
}

/** So many rows are taken from the network before the disk has had them. */
const aheadBytes = 4 * 1024 * 1024;

/** A COPY whose rows are read as they come, however many they are. */
class CopyOut extends pg.Query {
  private readonly waiting: Buffer[] = [];
  private bytes = 0;
  private wire: Wire | null = null;
  private isPaused = false;
  private ended: { error: Error | null } | null = null;
  private wake = () => {};

  constructor(text: string) {
    super(text, (error: Error | undefined) => {
      this.ended = { error: error ?? null };
      this.wake();
    });
  }

  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire): void {
    this.wire = wire;
    // The driver reads the next message into the same memory.
    this.waiting.push(Buffer.from(chunk));
    this.bytes += chunk.length;
    if (this.bytes > aheadBytes && !this.isPaused) {
      this.isPaused = true;
      wire.stream.pause();
    }
    this.wake();
  }

  async *arriving(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.waiting.length > 0) {
        const part = Buffer.concat(this.waiting.splice(0));
        this.bytes = 0;
        if (this.isPaused) {
          this.isPaused = false;
          this.wire?.stream.resume();
        }
        yield part;
      } else if (this.ended) {
        if (this.ended.error) throw this.ended.error;
        return;
      } else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

/** The rows of `copy … to stdout`. */
export function copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer> {
  const copy = new CopyOut(text);
  client.query(copy);
  return copy.arriving();
}

/** A COPY that is fed as fast as the database takes it. */
class CopyIn extends pg.Query {
  private readonly parts: AsyncIterable<Buffer>;

  constructor(text: string, parts: AsyncIterable<Buffer>, done: (error?: Error) => void) {
    super(text, done);
    this.parts = parts;
  }

  handleCopyInResponse(connection: unknown): void {
    const wire = connection as Wire;
    this.feed(wire).catch((error) => wire.sendCopyFail((error as Error).message));
  }

  private async feed(wire: Wire): Promise<void> {
    for await (const part of this.parts) {
      // The part is overwritten by the next one, and the driver may still hold it.
      wire.sendCopyFromChunk(Buffer.from(part));
      if (wire.stream.writableNeedDrain)
        await new Promise<void>((resolve) => wire.stream.once('drain', resolve));
    }
    wire.endCopyFrom();
  }
}

/** `copy … from stdin` with these rows. */
export const copyIn = (client: pg.Client, text: string, parts: AsyncIterable<Buffer>): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(text, parts, (error) => (error ? reject(error) : resolve())));
  });
