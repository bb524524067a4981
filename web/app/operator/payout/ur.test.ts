import { expect, test } from 'vitest';
import { psbtParts, urParts } from './ur.ts';

const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'));

test('a message in nine parts is what the reference implementation publishes', () => {
  const message = bytesOf(
    'kW7GXPd8rfVc1/nNoaEDACbd1C6QW3etw25PLTzLpE9/BPLeRPQthMN0oOFJE28lsBhSVFlh1V9/eozebQ4uxD87LctkSiIJ6MnjSvXEdHmEpehz' +
      'yc9fll4l7ikDn9+Mp08cdp/AfrfrrsRuBpWupsvWCz7Eu/8bn/6KnnJAEpN3udNxHtONQS+7REIlbx5vWV4PxX/tRR+woBAft2sfseG4jP39' +
      'qpRilKR96P/xc/AhwOb2WwXApJTlB5EnCgBQpzrmm2clUFouyKV5FFfJh23TSq3RkqU6oNxmtVbAwhXHzrgki3F8IpUeZTBbVqNwbj6G6wHI' +
      'A7v5FdgO3NZNTQ==',
  );
  const head = (part: number) => `ur:bytes/${part}-9/`;
  expect(urParts('bytes', message, 30).map((part) => part.toLowerCase())).toEqual([
    `${head(1)}lpadascfadaxcywenbpljkhdcahkadaemejtswhhylkepmykhhtsytsnoyoyaxaedsuttydmmhhpktpmsrjtdkgslpgh`,
    `${head(2)}lpaoascfadaxcywenbpljkhdcagwdpfnsboxgwlbaawzuefywkdplrsrjynbvygabwjldapfcsgmghhkhstlrdcxaefz`,
    `${head(3)}lpaxascfadaxcywenbpljkhdcahelbknlkuejnbadmssfhfrdpsbiegecpasvssovlgeykssjykklronvsjksopdzmol`,
    `${head(4)}lpaaascfadaxcywenbpljkhdcasotkhemthydawydtaxneurlkosgwcekonertkbrlwmplssjtammdplolsbrdzcrtas`,
    `${head(5)}lpahascfadaxcywenbpljkhdcatbbdfmssrkzmcwnezelennjpfzbgmuktrhtejscktelgfpdlrkfyfwdajldejokbwf`,
    `${head(6)}lpamascfadaxcywenbpljkhdcackjlhkhybssklbwefectpfnbbectrljectpavyrolkzczcpkmwidmwoxkilghdsowp`,
    `${head(7)}lpatascfadaxcywenbpljkhdcavszmwnjkwtclrtvaynhpahrtoxmwvwatmedibkaegdosftvandiodagdhthtrlnnhy`,
    `${head(8)}lpayascfadaxcywenbpljkhdcadmsponkkbbhgsoltjntegepmttmoonftnbuoiyrehfrtsabzsttorodklubbuyaetk`,
    `${head(9)}lpasascfadaxcywenbpljkhdcajskecpmdckihdyhphfotjojtfmlnwmadspaxrkytbztpbauotbgtgtaeaevtgavtny`,
  ]);
});

test('a short transaction is one part, as BCR-2020-006 has it', () => {
  const psbt =
    'cHNidP8BAJoCAAAAAljoeiG1ba8MI76OcHBFbDNvfLqlyHV5JPVFiHuyq911AAAAAAD/////g40EJ9DsZQpoqka7CwmK6kQiwHGyyng1Kgd5WdB8' +
    '6h0BAAAAAP////8CcKrwCAAAAAAWABTYXCtx0AYLCcmIauuBXlCZHdoSTQDh9QUAAAAAFgAUAK6pouXw+HaliN9VRuh0LR2HAI8AAAAAAAAAAAA=';
  expect(psbtParts(psbt).map((part) => part.toLowerCase())).toEqual([
    'ur:crypto-psbt/hdosjojkidjyzmadaenyaoaeaeaeaohdvsknclrejnpebncnrnmnjojofejzeojlkerdonspkpkkdkykfelokgprpyutkpaeaeaeaeae' +
      'zmzmzmzmlslgaaditiwpihbkispkfgrkbdaslewdfycprtjsprsgksecdratkkhktikewdcaadaeaeaeaezmzmzmzmaojopkwtayaeaeaeaecmaebb' +
      'tphhdnjstiambdassoloimwmlyhygdnlcatnbggtaevyykahaeaeaeaecmaebbaeplptoevwwtyakoonlourgofgvsjydpcaltaemyaeaeaeaeaeaeaeae' +
      'aebkgdcarh',
  ]);
});

test('whatever its length, every part fits a code of 65 dots a side, in the letters that take the least room', () => {
  for (const length of [1, 23, 24, 217, 218, 219, 1_351, 5_060, 65_535, 65_536, 100_000]) {
    const parts = psbtParts(Buffer.alloc(length, 7).toString('base64'));
    expect(parts).toHaveLength(
      Math.ceil((length + (length < 24 ? 1 : length < 256 ? 2 : length < 65_536 ? 3 : 5)) / 220),
    );
    for (const part of parts) expect(part).toMatch(/^[0-9A-Z:/-]{1,535}$/);
  }
});
