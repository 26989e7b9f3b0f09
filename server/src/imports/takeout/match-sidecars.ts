import { clipsByStill } from '#contract/motion-photos.ts'
import {
  fileOfSidecar,
  isForgottenCopy,
  isTitleOf,
  originalOfEdited,
  sidecarNames,
  splitName,
} from './sidecar-names.ts'

export interface SidecarName {
  name: string
  title: string
}

export interface Match {
  /** The name of the sidecar. */
  sidecar?: string
  /** The name of the file that this is an edited version of. */
  editedFrom?: string
  /** The name of the still that this may be the clip of. */
  still?: string
  /** Several files could have this sidecar. */
  ambiguous?: boolean
}

const PLAYED = /\.(mp4|mov|m[pv](~\d{1,3})?)$/i

/** Which file of a folder has which sidecar, by their names. Where that is not certain, it has none. */
export function matchSidecars(
  files: readonly string[],
  sidecars: readonly SidecarName[],
): { matches: Map<string, Match>; unused: string[] } {
  const matches = new Map<string, Match>(files.map(name => [name, {}]))
  const byName = new Map(sidecars.map(sidecar => [sidecar.name, sidecar]))
  const byOtherLength = Map.groupBy(sidecars, ({ name }) => otherLengthKey(fileOfSidecar(name)))
  const used = new Set<string>()

  const claim = (name: string, sidecar: string | undefined, more: Partial<Match> = {}) => {
    if (sidecar === undefined) return
    matches.set(name, { ...more, sidecar })
    used.add(sidecar)
  }
  const unmatched = () => files.filter(name => matches.get(name)?.sidecar === undefined)
  const namesFor = (name: ReturnType<typeof splitName>) => {
    const found = [...sidecarNames(name)].filter(sidecar => byName.has(sidecar))
    const others = byOtherLength.get(otherLengthKey({ base: name.stem + name.extension, number: name.number })) ?? []
    return [...found, ...(others.length === 1 ? others.map(other => other.name) : [])]
  }

  matchByNames(files, name => namesFor(splitName(name)), byName, claim, matches)
  for (const name of unmatched()) {
    const original = originalOfEdited(splitName(name))
    if (!original || matches.get(name)?.ambiguous) continue
    const editedFrom = originalNamed(files, original)
    const sidecar = namesFor(original)[0] ?? (editedFrom === undefined ? undefined : matches.get(editedFrom)?.sidecar)
    claim(name, sidecar, editedFrom === undefined ? {} : { editedFrom })
  }
  for (const name of unmatched()) {
    const copies = sidecars.filter(sidecar => isForgottenCopy(splitName(name), sidecar.name))
    if (copies.length === 1) claim(name, copies[0]?.name)
  }
  matchByTitles(unmatched(), sidecars, used, claim)
  const clips = clipsByStill(
    files.filter(name => !PLAYED.test(name) || matches.get(name)),
    name => name,
  )
  for (const [still, clip] of clips) {
    if (PLAYED.test(clip)) matches.set(clip, { ...matches.get(clip), still })
  }
  return { matches, unused: sidecars.map(({ name }) => name).filter(name => !used.has(name)) }
}

type Claim = (name: string, sidecar: string | undefined, more?: Partial<Match>) => void

/** Where several files could have one sidecar, it is that of the file that its title names. */
function matchByNames(
  files: readonly string[],
  namesFor: (name: string) => readonly string[],
  byName: ReadonlyMap<string, SidecarName>,
  claim: Claim,
  matches: Map<string, Match>,
): void {
  const candidates = new Map(files.map(name => [name, namesFor(name)]))
  const taken = new Set<string>()
  let waiting = files.filter(name => (candidates.get(name)?.length ?? 0) > 0)
  while (waiting.length > 0) {
    const firsts = Map.groupBy(waiting, name => candidates.get(name)?.find(sidecar => !taken.has(sidecar)))
    waiting = []
    for (const [sidecar, names] of firsts) {
      if (sidecar === undefined) continue
      const title = byName.get(sidecar)?.title ?? ''
      const titled = names.filter(name => isTitleOf(title, name))
      const [owner] = names.length === 1 ? names : titled.length === 1 ? titled : []
      taken.add(sidecar)
      if (owner === undefined) for (const name of names) matches.set(name, { ambiguous: true })
      else {
        claim(owner, sidecar)
        waiting.push(...names.filter(name => name !== owner))
      }
    }
  }
}

/** The last resort: one file and one sidecar that nothing else wants, with the title of the file. */
function matchByTitles(
  files: readonly string[],
  sidecars: readonly SidecarName[],
  used: ReadonlySet<string>,
  claim: Claim,
): void {
  const free = sidecars.filter(({ name }) => !used.has(name))
  const fits = (file: string, { name, title }: SidecarName) => {
    const number = /\((\d{1,6})\)\.json$/i.exec(name)?.[0].slice(0, -'.json'.length) ?? ''
    return isTitleOf(title, file) && (splitName(file).number === number || title.normalize('NFC') === file)
  }
  for (const file of files) {
    const fitting = free.filter(sidecar => fits(file, sidecar))
    const [sidecar] = fitting
    if (fitting.length !== 1 || !sidecar) continue
    if (files.filter(other => fits(other, sidecar)).length === 1) claim(file, sidecar.name)
  }
}

/** An edited JPEG may be of a HEIC. */
function originalNamed(files: readonly string[], original: ReturnType<typeof splitName>): string | undefined {
  const name = original.stem + original.number + original.extension
  if (files.includes(name)) return name
  const others = files.filter(other => {
    const { stem, number } = splitName(other)
    return stem === original.stem && number === original.number && !PLAYED.test(other)
  })
  return others.length === 1 ? others[0] : undefined
}

function otherLengthKey(name: { base: string; number: string } | undefined): string {
  return name ? JSON.stringify([name.base, name.number]) : ''
}
