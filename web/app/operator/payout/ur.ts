/**
 * Uniform Resources (BCR-2020-005, bytewords of BCR-2020-012): how wallets read something long from codes that follow one
 * another. The parts are the plain ones, over and over: each is enough for its piece, so no fountain is needed.
 */

/** What one part carries: its code has 65 dots a side, which the small cameras of hardware wallets read. */
const pieceBytesMax = 220;

/** First and last letter of the word for each byte. */
const words =
  'aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackctcxclcpcndkdadsdidedtdrdndwdpdmdldyeheyeoeeecenem' +
  'etesftfrfnfsfmfhfzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhehnhsidiaieihiyioisinimjejzjnjtjl' +
  'jojsjpjkjykpkoktkskkknkgkekikblblalylflslrlplnltloldlelulklgmnmymhmemomumwmdmtmsmknlnyndnsntnnnenboyoeotoxonolos' +
  'pdptpkpypspmplpepfpaprqdqzrerprlrorhrdrkrfryrnrsrtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueur' +
  'vtvyvovlvevwvavdvswlwdwmwpwewywswtwnwzwfwkykynylyaytzszoztzczezm';

/** The check sum of Ethernet and ZIP. */
function crc32(bytes: Uint8Array): number {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb8_8320 : 0);
  }
  return ~sum >>> 0;
}

const fourBytes = (number: number) =>
  [number >>> 24, number >>> 16, number >>> 8, number].map((n) => n & 255);

/** The head of a CBOR item: what it is and a number, in as few bytes as it takes. */
function head(kind: 'number' | 'bytes' | 'list', number: number): number[] {
  const major = { number: 0x00, bytes: 0x40, list: 0x80 }[kind];
  if (number < 24) return [major | number];
  if (number < 0x100) return [major | 24, number];
  if (number < 0x1_0000) return [major | 25, number >>> 8, number & 255];
  return [major | 26, ...fourBytes(number)];
}

function lettersOf(bytes: readonly number[]): string {
  const checked = [...bytes, ...fourBytes(crc32(Uint8Array.from(bytes)))];
  return checked.map((byte) => words.slice(byte * 2, byte * 2 + 2)).join('');
}

/** In capitals, which a code holds in less room; whoever reads it takes both. */
export function urParts(type: string, content: Uint8Array, bytesMax = pieceBytesMax): string[] {
  const message = Uint8Array.from([...head('bytes', content.length), ...content]);
  const count = Math.ceil(message.length / bytesMax);
  if (count === 1) return [`ur:${type}/${lettersOf([...message])}`.toUpperCase()];
  const size = Math.ceil(message.length / count);
  const sum = crc32(message);
  return Array.from({ length: count }, (_, n) => {
    const piece = new Uint8Array(size);
    piece.set(message.subarray(n * size, (n + 1) * size));
    const part = [
      ...head('list', 5),
      ...[n + 1, count, message.length, sum].flatMap((number) => head('number', number)),
      ...head('bytes', size),
      ...piece,
    ];
    return `ur:${type}/${n + 1}-${count}/${lettersOf(part)}`.toUpperCase();
  });
}

/** An unsigned transaction, as its text or its file has it, for a wallet to scan (BCR-2020-006). */
export const psbtParts = (base64: string): string[] =>
  urParts(
    'crypto-psbt',
    Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)),
  );
