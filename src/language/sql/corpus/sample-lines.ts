// Cases are lines: what is asked, an arrow, what is answered. `undefined` and errors are written as such.

export interface SampleLine {
  readonly asked: string;
  readonly answer: string;
}

export function sampleLines(text: string): readonly SampleLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const at = line.lastIndexOf(' → ');
      if (at < 0) throw new Error(`a case has no arrow: ${line}`);
      return { asked: line.slice(0, at).trim(), answer: line.slice(at + 3).trim() };
    });
}
