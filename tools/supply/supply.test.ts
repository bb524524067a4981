import { describe, expect, it } from 'vitest';
import { auditCodes, tellAdvisories } from './advisories.ts';
import { leftOut, steady } from './bill.ts';

const component = (name: string, version = '1.0.0') => ({ 'bom-ref': `${name}@${version}`, name, version });
const bill = (serialNumber: string, timestamp: string, folder: string) => ({
  serialNumber,
  metadata: {
    timestamp,
    tools: [{ name: 'cli', version: serialNumber }],
    // npm calls the project by the folder that it lies in.
    component: { ...component('tallystick'), name: folder },
  },
  components: serialNumber < 'b' ? [component('a'), component('b')] : [component('b'), component('a')],
  dependencies: [{ ref: 'a', dependsOn: serialNumber < 'b' ? ['b', 'c'] : ['c', 'b'] }],
});

describe('the bill of what is installed', () => {
  it('is the same whenever, wherever and in whichever order it was made', () => {
    const first = steady(bill('a', '2026-11-16T10:00:00Z', 'here'), 'tallystick');
    const second = steady(bill('b', '2026-11-17T11:00:00Z', 'there'), 'tallystick');
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    expect(first.metadata.component.name).toBe('tallystick');
    expect(first.components).toHaveLength(2);
  });

  it('is not taken for whole when a package or a version of one is missing', () => {
    const locked = {
      '': { version: '0.1.0' },
      'node_modules/ours': { version: '0.1.0', link: true },
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b/node_modules/a': { version: '2.0.0' },
    };
    expect(leftOut(bill('a', '', 'here'), locked)).toEqual(['a@2.0.0']);
  });
});

describe('npm run audit', () => {
  it('says what is known, and that nothing is', () => {
    const via = [{ title: 'It falls over', url: 'https://example.org/1' }, 'other'];
    const vulnerabilities = { a: { name: 'a', severity: 'high', range: '<2', via } };
    const known = tellAdvisories(JSON.stringify({ vulnerabilities }));
    expect(known.code).toBe(auditCodes.known);
    expect(known.lines[0]).toBe('high: a <2: It falls over https://example.org/1; by other');
    const none = { vulnerabilities: {}, metadata: { dependencies: { total: 7 } } };
    expect(tellAdvisories(JSON.stringify(none))).toEqual({
      code: auditCodes.nothingKnown,
      lines: ['No advisory is known for any of 7 packages.'],
    });
  });

  it.each(['', 'no JSON', '{}', '{"message":"405 Method Not Allowed","statusCode":405}'])(
    'never takes an answer that is none for good news: %j',
    (answer) => {
      const told = tellAdvisories(answer);
      expect(told.code).toBe(auditCodes.notAsked);
      expect(told.lines.join()).toContain('could not be asked');
    },
  );
});
