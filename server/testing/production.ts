import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a production has to say of itself. Its mail server is not there: these tests send nothing. */
export function productionEnv(): Record<string, string> {
  const dir = mkdtempSync(join(tmpdir(), 'tallystick-production-'));
  const secretFile = join(dir, 'secret');
  writeFileSync(secretFile, 'x'.repeat(48), { mode: 0o600 });
  return {
    MODE: 'production',
    DATA_DIR: dir,
    SITE_URL: 'https://tallystick.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Tallystick <support@example.com>',
    SECRET_FILE: secretFile,
    TRUST_PROXY: 'none',
  };
}
