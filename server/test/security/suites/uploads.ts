import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { FileMetadata, ImageVariants, partPrefixes, uploadMedia } from '#contract/upload.ts'
import { makePicture } from '../../fixtures/pictures.ts'
import { asFile, finish, plainForm, sendResumable } from '../../fixtures/uploads.ts'
import { attacksOn, validInput } from '../attacks.ts'
import { hostileTexts, inBrief, traversals } from '../hostile-values.ts'
import { type Attack, attackAll, reportOf } from '../judge.ts'
import type { Target } from '../target.ts'

const long = Boolean(process.env.LONG)

const idFields = ['uploadId', 'convertedUploadId', 'motionUploadId'] as const

/** Attacks upload ids, file metadata and multipart forms. */
export function attackUploads(opened: () => Target): void {
  let target: Target
  beforeAll(() => {
    target = opened()
  })

  test.each(['not yet taken', 'already taken'])(
    'ids of uploads reach nothing but the own uploads, beside one that is %s',
    async state => {
      const { member, uploads, changeDetector } = target
      const files = await changeDetector.files()
      const paths = files.map(file => `../${file.replace(/ \(\d+ bytes\)$/, '')}`)
      const hostile = [
        uploads.victimsUnfinished,
        uploads.victimsFinished,
        ...paths,
        ...traversals,
        ...some(hostileTexts, 6),
      ]
      let uploadId = await sendResumable(member, await makePicture())
      if (state === 'already taken') await finish(member, { originalName: 'a.jpg', uploadId })
      const faults: string[] = []
      for (const value of hostile) {
        for (const field of idFields) {
          const fileMetadata = { originalName: 'a.jpg', uploadId, [field]: value }
          const request = { method: 'POST', path: uploadMedia.path, headers: { 'content-type': 'application/json' } }
          const answer = await target.send('member', { ...request, body: JSON.stringify({ fileMetadata }) })
          if (answer.status >= 500) faults.push(`${field} = ${inBrief(value)} answered ${answer.status}`)
          // An empty id counts as none, so the upload legitimately succeeded.
          if (state === 'not yet taken' && answer.status === 201)
            uploadId = await sendResumable(member, await makePicture())
        }
        const damage = await changeDetector.damageTo(target.guarded, target.guardedBefore).catch(error => String(error))
        if (damage) expect.fail(`${inBrief(value)} as an id of an upload ${damage}`)
      }
      expect(faults).toEqual([])
    },
  )

  test.each([
    ['fileMetadata', FileMetadata.omit({ convertedUploadId: true, motionUploadId: true })],
    ['imageVariants', ImageVariants.omit({ convertedUploadId: true, motionUploadId: true })],
  ] as const)('hostile values in every field of %s change nothing', async (name, schema) => {
    // The upload does not exist, so all fields are validated but nothing is stored.
    const endpoint = { ...uploadMedia, body: z.object({ [name]: schema }) }
    const attacks = attacksOn(endpoint, validInput(endpoint, target), target.anothersIds)
    expect(attacks.length).toBeGreaterThan(1_000)
    expect(reportOf(await attackAll(target, 'member', some(attacks, 10), { allowed: true }))).toEqual([])
  })

  test('hostile forms are refused as a whole', async () => {
    const bytes = await makePicture()
    const forms: [name: string, form: FormData][] = [
      ...some(hostileTexts, 4).map((text): [string, FormData] => [
        `words ${inBrief(text)}`,
        formWith({ fileMetadata: text }),
      ]),
      ...some(hostileTexts, 8).map((text): [string, FormData] => [
        `hashes ${inBrief(text)}`,
        formWith({ hashes: text }, bytes),
      ]),
      ...['__proto__', 'constructor', 'toString', '', '../x', 'files[0]', 'x'.repeat(5_000)].map(
        (field): [string, FormData] => [`field ${inBrief(field)}`, formWith({ [field]: '1' })],
      ),
      ...partPrefixes.map((prefix): [string, FormData] => {
        const form = formWith({ imageVariants: JSON.stringify({ originalName: 'a.jpg' }) })
        for (const _ of [1, 2]) form.append('files', asFile(bytes), `${prefix}../../heirloom.db`)
        return [`part ${prefix} twice`, form]
      }),
      ['the bytes of no picture', plainForm('a.jpg', Buffer.from('<svg onload="alert(1)"/>'))],
      ['too many parts', formWith(Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`f${i}`, 'x'])))],
    ]
    const attacks = await Promise.all(forms.map(([name, form]) => encodeForm(name, form)))
    const verdicts = await attackAll(target, 'member', attacks, { allowed: true })
    const taken = verdicts.filter(({ answer }) => answer.status < 400)
    expect(reportOf(verdicts)).toEqual([])
    // Invalid hashes may be rejected or ignored, but only next to a complete file.
    expect(taken.filter(({ attack }) => !attack.name.startsWith('hashes')).map(({ attack }) => attack.name)).toEqual([])
  })
}

/** All values in the long run, otherwise one in `share`. */
function some<T>(values: readonly T[], share: number): T[] {
  return values.filter((_, i) => long || i % share === 0)
}

function formWith(fields: Record<string, string>, bytes?: Uint8Array): FormData {
  const form = new FormData()
  if (bytes) form.append('files', asFile(bytes), 'a.jpg')
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

async function encodeForm(name: string, form: FormData): Promise<Attack> {
  const encoded = new Request('http://localhost', { method: 'POST', body: form })
  return {
    name,
    method: 'POST',
    path: uploadMedia.path,
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}
