import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a production has to say of itself. Its mail server is not there: these tests send nothing. */
export const productionEnv = {
  MODE: 'production',
  SITE_URL: 'https://tallystick.example',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Tallystick <support@example.com>',
  TRUST_PROXY: 'none',
};

/** The files it has to name. */
export async function productionFiles(dir: string): Promise<{ SECRET_FILE: string; LOG_KEY_FILE: string }> {
  const files = {
    SECRET_FILE: join(dir, 'production-secret'),
    LOG_KEY_FILE: join(dir, 'production-log-key'),
  };
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(files.SECRET_FILE, 'x'.repeat(48), { mode: 0o600 });
  await writeFile(files.LOG_KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return files;
}
