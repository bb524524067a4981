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

export async function makeLogKeyFile(dir: string): Promise<string> {
  const path = join(dir, 'production-log-key');
  const { privateKey } = generateKeyPairSync('ed25519');
  await writeFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return path;
}

export async function makeSecretFile(dir: string): Promise<string> {
  const path = join(dir, 'production-secret');
  await writeFile(path, 'x'.repeat(48), { mode: 0o600 });
  return path;
}
