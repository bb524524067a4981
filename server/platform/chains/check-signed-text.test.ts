import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base64 } from '@scure/base';
import type { Network } from '@tallystick/contract/networks';
import { describe, expect, it } from 'vitest';
import { checkSignedText, spelledAddress } from './check-signed-text.ts';

const check = (
  network: Network,
  address: string,
  text: string,
  signature: string,
  publicKey: string | null = null,
) => checkSignedText(network, { address, text, signature, publicKey });

const base64Of = (hex: string) => base64.encode(hexToBytes(hex));
const wrong = (like: RegExp) => ({ wrong: expect.stringMatching(like) });
const notOfThis = wrong(/not one of this message by this address/);

/** The second of the two signatures that every signature stands for; anyone can make it. */
function twin(compact: Uint8Array): Uint8Array {
  const { r, s } = secp256k1.Signature.fromBytes(compact, 'compact');
  return new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes('compact');
}

// trezor-firmware, tests/device_tests/bitcoin/test_signmessage.py
const trezorText = 'This is an example of a signed message.';
const trezor = {
  pkh: [
    '1JAd7XCBzGudGpJQSDSfpmJhiygtLQWaGL',
    '20fd8f2f7db5238fcdd077d5204c3e6949c261d700269cefc1d9d2dcef6b95023630ee617f6c8acf9eb40c8edd704c9ca74ea4afc393f43f35b4e8958324cbdd1c',
  ],
  nested: [
    '3L6TyTisPBmrDAj6RoKmDzNnj4eQi54gD2',
    '23744de4516fac5c140808015664516a32fead94de89775cec7e24dbc24fe133075ac09301c4cc8e197bea4b6481661d5b8e9bf19d8b7b8a382ecdb53c2ee0750d',
  ],
  segwit: [
    'bc1qannfxke2tfd4l7vhepehpvt05y83v3qsf6nfkk',
    '28b55d7600d9e9a7e2a49155ddf3cfdb8e796c207faab833010fa41fb7828889bc47cf62348a7aaa0923c0832a589fab541e8f12eb54fb711c90e2307f0f66b194',
  ],
  // As Electrum has them.
  nestedPlain: [
    '3L6TyTisPBmrDAj6RoKmDzNnj4eQi54gD2',
    '1f744de4516fac5c140808015664516a32fead94de89775cec7e24dbc24fe133075ac09301c4cc8e197bea4b6481661d5b8e9bf19d8b7b8a382ecdb53c2ee0750d',
  ],
  segwitPlain: [
    'bc1qannfxke2tfd4l7vhepehpvt05y83v3qsf6nfkk',
    '20b55d7600d9e9a7e2a49155ddf3cfdb8e796c207faab833010fa41fb7828889bc47cf62348a7aaa0923c0832a589fab541e8f12eb54fb711c90e2307f0f66b194',
  ],
  testPkh: [
    'mvbu1Gdy8SUjTenqerxUaZyYjmveZvt33q',
    '2030cd7f116c0481d1936cfef48137fd23ee56aaf00787bfa08a94837466ec9909390c3efacfc56bae5782f1db4cf49ae05f242b5f62a47f871ec46bf1a3253e7f',
  ],
  testSegwit: [
    'tb1qkvwu9g3k2pdxewfqr7syz89r3gj557l3uuf9r9',
    '27758b3393396ad9fe48f6ce81f63410145e7b2b69a5dfc1d48b5e6e623e91e08e3afb60bda1546f9c6f9fb5bd0a41887b784c266036dd4b4015a0abc1137daa1d',
  ],
} as const;

describe('a message signed in the older way of Bitcoin', () => {
  it.each(Object.entries(trezor))('holds for what a Trezor signs: %s', (_, [address, signature]) => {
    const spelled = base64Of(signature);
    expect(check('bitcoin', address, trezorText, spelled)).toEqual({
      scheme: 'bip137',
      signature: spelled,
      publicKey: null,
    });
    expect(check('bitcoin', address, `${trezorText} `, spelled)).toEqual(notOfThis);
  });

  it('holds for no other address, and for no other kind of address of the same key', () => {
    const [, signature] = trezor.pkh;
    expect(check('bitcoin', trezor.testPkh[0], trezorText, base64Of(signature))).toEqual(notOfThis);
    expect(check('bitcoin', trezor.segwit[0], trezorText, base64Of(signature))).toEqual(notOfThis);
    expect(check('bitcoin', trezor.pkh[0], trezorText, base64Of(trezor.segwit[1]))).toEqual(
      wrong(/for another kind of address/),
    );
  });

  it('has one form: the other one of two was changed by somebody', () => {
    const bytes = hexToBytes(trezor.pkh[1]);
    const first = 31 + ((31 - (bytes[0] ?? 0)) & 1);
    const other = base64.encode(Uint8Array.of(first, ...twin(bytes.subarray(1))));
    expect(check('bitcoin', trezor.pkh[0], trezorText, other)).toEqual(wrong(/changed after the wallet/));
  });

  it('says what to paste and what cannot be checked', () => {
    for (const nonsense of ['not-valid-base64!!!', 'AA', `${'A'.repeat(86)}==`, '-----BEGIN']) {
      expect(check('bitcoin', trezor.pkh[0], trezorText, nonsense)).toHaveProperty('wrong');
    }
    const script = 'bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9';
    expect(check('bitcoin', script, trezorText, base64Of(trezor.segwit[1]))).toEqual(wrong(/single key/));
    const taproot = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3';
    expect(check('bitcoin', taproot, trezorText, base64Of(trezor.segwit[1]))).toEqual(wrong(/BIP-322/));
  });
});

// bips, bip-0322/basic-test-vectors.json and generated-test-vectors.json; the last of the keys’ path from Bitcoin Core.
const bip322 = [
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    '',
    'smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
  ],
  [
    'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l',
    'Hello World',
    'AkgwRQIhAOzyynlqt93lOKJr+wmmxIens//zPzl9tqIOua93wO6MAiBi5n5EyAcPScOjf1lAqIUIQtr3zKNeavYabHyR8eGhowEhAsfxIAMZZEKUPYWI4BruhAQjzFT8FSFSajuFwrDL1Yhy',
  ],
  [
    'bc1pss0zhytly75awhm6x2hhvd5lnzv3vssgrf9axfheq8ldyzn88ges79fler',
    'No prefix fallback',
    'AUCJYOwOjxYAvatTAGYaVlNXBVyFuc4MwNQkOuK2tl8xhfKDONd0NjfYyNSYcRqeCp8hsAnCEPHAVEkO9h6vbQ/R',
  ],
  [
    'bc1pcquvhrqv0q68t4m0hfq6tpn006qrskyc7yrqnp2uyrf2emg3wynsdjyk38',
    'PURVOQ544B6HUATVBJZN5EZJUU',
    'smpAUB6B2Rbupzua8LTQIF06516wzl+cwKy1be8RgoiW0riyXdKwe6GTz/5Hnb37m67pJwIKCh+D5jDueG6KpvYpmu8',
  ],
  [
    'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3',
    'Hello World',
    'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ==',
  ],
] as const;

describe('a message signed by BIP-322', () => {
  it.each(bip322)('holds for the published example of %s: %s', (address, text, signature) => {
    const spelled = signature.replace(/^smp/, '');
    expect(check('bitcoin', address, text, signature)).toEqual({
      scheme: 'bip322',
      signature: spelled,
      publicKey: null,
    });
    expect(check('bitcoin', address, `${text}!`, signature)).toEqual(notOfThis);
  });

  it('holds for no other address, and not when a byte was changed', () => {
    const [[address, text, signature], other, taproot] = bip322;
    expect(check('bitcoin', trezor.segwit[0], text, signature)).toEqual(notOfThis);
    expect(check('bitcoin', taproot[0], other[1], other[2])).toEqual(wrong(/single key/));
    const bytes = base64.decode(other[2]);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    expect(check('bitcoin', address, 'Hello World', base64.encode(bytes))).toEqual(notOfThis);
    expect(check('bitcoin', address, '', 'smpAA==')).toEqual(notOfThis);
    expect(check('bitcoin', trezor.pkh[0], text, signature)).toEqual(wrong(/older format/));
    // The multisig example of the BIP.
    const script = 'bc1qp0ahvfh83088w49k405szqgg4f3pptr7p2g06tdxfjcd40z4lh4q95lsz9';
    expect(check('bitcoin', script, text, signature)).toEqual(wrong(/single key/));
  });

  it('has one form: neither the other one of two nor bytes behind it', () => {
    const [, [address, text, signature]] = bip322;
    const bytes = base64.decode(signature);
    const [length = 0] = bytes.subarray(1);
    const read = secp256k1.Signature.fromBytes(bytes.subarray(2, 1 + length), 'der');
    const high = secp256k1.Signature.fromBytes(twin(read.toBytes('compact')), 'compact').toBytes('der');
    const other = [2, high.length + 1, ...high, 1, ...bytes.subarray(2 + length)];
    expect(check('bitcoin', address, text, base64.encode(Uint8Array.from(other)))).toEqual(
      wrong(/changed after the wallet/),
    );
    const longer = base64.encode(Uint8Array.of(...bytes, 0));
    expect(check('bitcoin', address, text, longer)).toEqual(wrong(/signature alone/));
  });
});

describe('a message signed by an account of EIP-191', () => {
  // web3.js, the example of eth.accounts.sign.
  const address = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';
  const text = 'Some data';
  const digits =
    'b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c';

  it('holds in every spelling that wallets have, and is kept in one', () => {
    const held = { scheme: 'eip191', signature: `0x${digits}`, publicKey: null };
    for (const spelled of [`0x${digits}`, digits.toUpperCase(), `0X${digits.replace(/1c$/, '01')}`]) {
      expect(check('ethereum', address, text, spelled)).toEqual(held);
    }
    expect(check('bnb', address, text, digits)).toEqual(held);
  });

  it('holds for no other text, account or form', () => {
    expect(check('ethereum', address, 'Some data.', digits)).toEqual(notOfThis);
    const other = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    expect(check('ethereum', other, text, digits)).toEqual(wrong(/contract wallet cannot sign/));
    const high = bytesToHex(twin(hexToBytes(digits).subarray(0, 64)));
    expect(check('ethereum', address, text, `${high}1b`)).toEqual(wrong(/changed after the wallet/));
    for (const long of [`${digits}00`, '0x', 'hello', digits.replace(/1c$/, '1d'), 'ab'.repeat(600)]) {
      expect(check('ethereum', address, text, long)).toEqual(wrong(/only its chain can check/));
    }
    expect(check('ethereum', address, text, '00'.repeat(65))).toEqual(notOfThis);
  });
});

describe('a message signed by an account of the XRP Ledger', () => {
  // xrpl.js, packages/ripple-keypairs/test/fixtures/api.json
  const text = 'test message';
  const secp = {
    key: '030D58EB48B4420B1F7B9DF55087E0E29FEF0E8468F9A6825B01CA2C361042D435',
    address: 'rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw1',
    signature:
      '30440220583A91C95E54E6A651C47BEC22744E0B101E2C4060E7B08F6341657DAD9BC3EE02207D1489C7395DB0188D3A56A977ECBA54B36FA9371B40319655B1B4429E33EF2D',
  };
  const edwards = {
    key: 'ED01FA53FA5A7E77798F882ECE20B1ABC00BB358A9E55A202D0D0676BD0CE37A63',
    address: 'rLUEXYuLiQptky37CqLcm9USQpPiz5rkpD',
    signature:
      'CB199E1BFD4E3DAA105E4832EEDFA36413E1F44205E4EFB9E27E826044C21E3E2E848BBC8195E8959BADF887599B7310AD1B7047EF11B682E0D068F73749750E',
  };

  it.each([secp, edwards])('holds by either kind of key: $address', ({ key, address, signature }) => {
    const held = { scheme: 'xrp', signature, publicKey: key };
    expect(check('xrp', address, text, signature, key)).toEqual(held);
    expect(check('xrp', address, text, signature.toLowerCase(), key.toLowerCase())).toEqual(held);
    expect(check('xrp', address, 'test message ', signature, key)).toEqual(notOfThis);
  });

  it('needs the key that the account is the hash of', () => {
    const { address, signature, key } = secp;
    expect(check('xrp', edwards.address, text, signature, key)).toEqual(wrong(/another account/));
    for (const none of [null, '', 'rU6K7V3Po4snVhBBaU29sesqs2qTQJWDw1', key.slice(2)]) {
      expect(check('xrp', address, text, signature, none)).toEqual(wrong(/public key/));
    }
    expect(check('xrp', address, text, edwards.signature, key)).toEqual(notOfThis);
    expect(check('xrp', address, text, 'TX', key)).toEqual(wrong(/hexadecimal/));
  });

  it('has one form', () => {
    const { r, s } = secp256k1.Signature.fromBytes(hexToBytes(secp.signature), 'der');
    const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes('der');
    expect(check('xrp', secp.address, text, bytesToHex(high), secp.key)).toEqual(
      wrong(/changed after the wallet/),
    );
  });
});

it('an address has one spelling, whoever typed it', () => {
  expect(spelledAddress('bitcoin', trezor.segwit[0].toUpperCase())).toBe(trezor.segwit[0]);
  expect(spelledAddress('bitcoin', trezor.nested[0])).toBe(trezor.nested[0]);
  expect(spelledAddress('bitcoin', trezor.testSegwit[0])).toBe(trezor.testSegwit[0]);
  const account = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(spelledAddress('ethereum', account.toLowerCase())).toBe(account);
  expect(spelledAddress('xrp', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')).toBe(
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
  );
});
