import { describe, expect, it } from 'vitest';
import { hexOf } from './bytes.ts';
import { leafHash } from './merkle.ts';
import { openCheckpoint, openNote, parseVkey } from './note.ts';
import { checkpointNote, testKey } from './testing/signing.ts';

/** From the documentation of Go's `golang.org/x/mod/sumdb/note`. */
const neumann = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const saying = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`;
const saidNote = `${saying}
\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

/** The head of Go's checksum database that the examples of C2SP are made of. */
const goKey = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8';
const goTree = `go.sum database tree
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
`;
const goSignature =
  '\u2014 sum.golang.org Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n';

function keyOf(vkey: string) {
  const key = parseVkey(vkey);
  if ('wrong' in key) throw new Error(key.wrong);
  return key;
}

describe('a signed note', () => {
  it('that others have published is opened with their key', () => {
    expect(openNote(saidNote, keyOf(neumann))).toEqual({ text: saying, cosigned: [] });
    expect(openNote(`${goTree}\n${goSignature}`, keyOf(goKey))).toEqual({ text: goTree, cosigned: [] });
  });

  it('with a letter changed is not', () => {
    expect(openNote(saidNote.replace('the answer', 'The answer'), keyOf(neumann))).toEqual({
      wrong: 'The signature of PeterNeumann is false.',
    });
  });

  it.each([
    ['no signature', saying],
    ['no blank line', saidNote.replace('.\n\n', '.\n')],
    ['a signature without its end', saidNote.trimEnd()],
    ['another dash', saidNote.replace('\u2014', '-')],
    ['spaces twice', saidNote.replace(' x08g', '  x08g')],
    ['a carriage return', saidNote.replace('.\n\n', '.\r\n\n')],
    ['another spelling of the same bytes', saidNote.replace('JnAM=', 'JnAN=')],
    ['half a character', saidNote.replace('is.', '\ud800.')],
    ['too many signatures', saidNote + goSignature.repeat(64)],
    ['nothing', ''],
  ])('with %s is none', (_what, note) => {
    expect(openNote(note, keyOf(neumann))).toHaveProperty('wrong');
  });

  it('ignores keys that are not asked about, by name and id', () => {
    const others = testKey('PeterNeumann').signature(saying);
    expect(openNote(saidNote + others, keyOf(neumann))).toEqual({ text: saying, cosigned: [] });
    expect(openNote(`${saying}\n${others}`, keyOf(neumann))).toEqual({
      wrong: 'It is not signed by the key of PeterNeumann.',
    });
  });

  it('is refused when a second signature of a known key is false', () => {
    const forged = testKey('PeterNeumann').signature('another text\n');
    const key = keyOf(testKey('PeterNeumann').vkey);
    expect(openNote(`${saying}\n${testKey('PeterNeumann').signature(saying)}`, key)).toHaveProperty('text');
    expect(openNote(`${saying}\n${testKey('PeterNeumann').signature(saying)}${forged}`, key)).toEqual({
      wrong: 'The signature of PeterNeumann is false.',
    });
  });
});

describe('a verifier key', () => {
  it.each([
    ['another name', neumann.replace('Peter', 'peter')],
    ['another id', neumann.replace('c74f', 'c74e')],
    ['another key', neumann.replace('10TW', '10TX')],
    ['an unknown kind', neumann.replace('ARpc', 'Axpc')],
    ['a space', neumann.replace('Peter', 'Peter ')],
    ['a line feed', `${neumann}\n`],
    ['large digits', neumann.replace('c74f20a3', 'C74F20A3')],
    ['no name', neumann.replace('PeterNeumann', '')],
  ])('with %s is none', (_what, vkey) => expect(parseVkey(vkey)).toHaveProperty('wrong'));
});

const log = testKey('tallystick.test/log');
const [one, two] = [testKey('one.example/w', 'cosignature'), testKey('two.example/w', 'cosignature')];
const root = leafHash(new Uint8Array());
const note = checkpointNote(log, { size: 1, root }, [one]);

describe('a checkpoint', () => {
  it('says which log, how long it is and its root, and who of those asked about has signed it', () => {
    const opened = openCheckpoint(note, log.vkey, [one.vkey, two.vkey]);
    if ('wrong' in opened) throw new Error(opened.wrong);
    const { root: found, ...rest } = opened;
    expect(hexOf(found)).toBe(hexOf(root));
    const cosigned = [{ name: 'one.example/w', time: 1_700_000_000 }];
    expect(rest).toEqual({ origin: 'tallystick.test/log', size: 1, cosigned });
  });

  const resigned = (text: string) => `${text}\n${log.signature(text)}`;
  const lines = note.split('\n').slice(0, 3);
  it.each([
    [
      'of another log',
      resigned(['other.test/log', ...lines.slice(1), ''].join('\n')),
      'not of tallystick.test/log',
    ],
    ['with a size that begins with zero', resigned(`${lines[0]}\n01\n${lines[2]}\n`), 'three lines'],
    [
      'with a size beyond all numbers',
      resigned(`${lines[0]}\n9007199254740992\n${lines[2]}\n`),
      'three lines',
    ],
    ['with a shorter root', resigned(`${lines[0]}\n1\nAAAA\n`), 'three lines'],
    ['with a line more', resigned(`${lines.join('\n')}\nmore\n`), 'three lines'],
    ['with a line less', resigned(`${lines[0]}\n1\n`), 'three lines'],
    ['that was changed after it was signed', note.replace('\n1\n', '\n2\n'), 'is false'],
  ])('%s is refused', (_what, other, why) => {
    expect(openCheckpoint(other, log.vkey)).toEqual({ wrong: expect.stringContaining(why) });
  });

  it('is refused with a false signature of a witness, of its text or of its time', () => {
    const text = `${lines.join('\n')}\n`;
    const moved = Buffer.from(one.signature(text).split(' ')[2] ?? '', 'base64');
    moved.writeUInt8(9, 11);
    for (const line of [one.signature('x\n'), `\u2014 ${one.name} ${moved.toString('base64')}\n`]) {
      const opened = openCheckpoint(`${text}\n${log.signature(text)}${line}`, log.vkey, [one.vkey]);
      expect(opened).toEqual({ wrong: 'The signature of the witness one.example/w is false.' });
    }
  });

  it('counts no witness twice, and none with a key of another kind', () => {
    const again = testKey('one.example/w', 'cosignature').vkey;
    expect(openCheckpoint(note, log.vkey, [one.vkey, again])).toHaveProperty('wrong');
    expect(openCheckpoint(note, log.vkey, [log.vkey])).toHaveProperty('wrong');
    expect(openCheckpoint(note, one.vkey)).toHaveProperty('wrong');
  });
});
