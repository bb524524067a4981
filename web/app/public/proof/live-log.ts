import { counted, whenOf } from '../../domain/dates.ts';
import { fill, repeat } from '../../native/template.ts';
import { readState, shownIn } from './show-part.ts';

/** The state of the log, and who else signs it. */
export async function drawLog(place: Element): Promise<DocumentFragment> {
  const { origin, vkey, size, signedat, witnesses, stopped } = await readState();
  const shown = shownIn(place);
  const real = witnesses.filter(({ sample }) => !sample).length;
  fill(shown, {
    stopped,
    size: counted(size, 'entry', 'entries'),
    signedat: signedat ? `Signed ${whenOf(signedat)}` : 'Not signed yet',
    witnesses: counted(real, 'witness', 'witnesses'),
    witnessNote: real === 0 ? 'Nobody outside has signed this log yet.' : 'Others who sign it, one by one.',
    origin,
    vkey,
  });
  const list = shown.querySelector('[data-witnesses]');
  if (witnesses.length === 0) list?.remove();
  else {
    repeat(list, witnesses, (part, witness) => {
      fill(part, {
        name: witness.name,
        vkey: witness.vkey,
        sample: witness.sample ? 'Sample' : null,
        sampleNote: witness.sample
          ? 'Started by this demo, beside the server. It shows how a witness works, and proves nothing.'
          : null,
        signed:
          witness.size === null || witness.at === null
            ? 'Has not signed yet'
            : `Signed ${counted(witness.size, 'entry', 'entries')}, ${whenOf(witness.at)}`,
      });
    });
  }
  return shown;
}
