import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const openssl = (...args: string[]) =>
  void execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });

function makeKey(file: string): void {
  openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', file);
  chmodSync(file, 0o600);
}

/** The one hand that all certificates of a cluster are of. Its key stays where the files are made. */
function keepAuthority(dir: string) {
  const [cert, key] = [join(dir, 'ca.crt'), join(dir, 'ca.key')];
  if (!existsSync(key)) makeKey(key);
  if (!existsSync(cert)) {
    const ext = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
    const what = ['-x509', '-new', '-key', key, '-days', '3650', '-subj', '/CN=Tallystick cluster'];
    openssl('req', ...what, ...ext.flatMap((each) => ['-addext', each]), '-out', cert);
  }
  return { cert, key };
}

const days = 3 * 365;

/** A node of the same name at another address would not be believed with the one that is there. */
const isFor = (cert: string, address: string) =>
  existsSync(cert) && new X509Certificate(readFileSync(cert)).checkIP(address) !== undefined;

/**
 * A node's certificate, for its address and for loopback: whoever comes to it by way of HAProxy on their own machine has asked for that. It
 * is a server's and a client's, for etcd's members are both to each other. Made once; one that was removed, or is for another address, is made anew.
 */
export function keepCertificate(dir: string, { name, address }: { name: string; address: string }) {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const authority = keepAuthority(dir);
  const [cert, key] = [join(dir, `${name}.crt`), join(dir, `${name}.key`)];
  if (!existsSync(key)) makeKey(key);
  if (!isFor(cert, address)) {
    const names = `IP:${address},IP:127.0.0.1,DNS:${name},DNS:localhost`;
    const ext = [
      'basicConstraints=critical,CA:FALSE',
      `subjectAltName=${names}`,
      'extendedKeyUsage=serverAuth,clientAuth',
    ];
    const by = ['-CA', authority.cert, '-CAkey', authority.key, '-days', `${days}`];
    const what = ['-x509', '-new', '-key', key, '-subj', `/CN=${name}`, ...by];
    openssl('req', ...what, ...ext.flatMap((each) => ['-addext', each]), '-out', cert);
  }
  return { ca: authority.cert, cert, key };
}
