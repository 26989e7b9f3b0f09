import { expect, test } from 'vitest'
import { getMedia } from '#contract/media.ts'
import { nameInForm } from '#contract/upload.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../../test/fixtures/pictures.ts'
import { filesBelow, remainsAtRest } from '../../../test/fixtures/remains.ts'
import { asFile, photoForm, plainForm, send } from '../../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../../test/library.ts'

const odd = {
  'that climbs out of its folder': '../../../../etc/passwd.jpg',
  'with backslashes': '..\\..\\windows\\win.ini.jpg',
  'of control characters': 'a\x01\x1b[31mb\x7f\u0085.jpg',
  'with line breaks': 'one\r\ntwo\n.jpg',
  'that reads backwards': 'holiday\u202Egpj.exe',
  'with quotes': '"quoted" \'and\' `more`.jpg',
  'with percent signs': '100%20 sure %22.jpg',
  'of emoji': '👨‍👩‍👧‍👦🏖️.jpg',
  'of many alphabets': 'Ἀθῆναι-東京-القاهرة-Ümläut-नमस्ते.jpg',
  'of five hundred bytes': `${'東'.repeat(164)}.jpg`,
  'of 255 characters': `${'n'.repeat(251)}.jpg`,
  'that devices bear': 'CON.jpg',
  'that is hidden': '.hidden.jpg',
  'with no extension': 'DSC00042',
  'that ends in dots and blanks': 'dots... .jpg . .',
  'with the mark of our own keys': 'beach~k3v9x2ab.jpg',
  'that looks like another part': 'original_full_thumbnail_.jpg',
  'of half a character': 'half\ud83d.jpg',
} as const

onOneEngine('a name', library => {
  test.each(Object.entries(odd))('%s is kept, and harmless', async (_, name) => {
    const ben = await memberOf(library())
    const { files } = await send(ben, plainForm(name, await makePicture()))
    const shown = await ben.call(getMedia, { params: { id: files[0]?.id ?? 0 } })
    // Lone surrogates are replaced, as everywhere on the web; surrounding spaces are trimmed.
    expect(shown.original_name).toBe(name.toWellFormed().trim())
    const saved = await library().anyone.fetch(shown.download_url)
    expect(saved.status).toBe(200)
    expect(saved.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\x20-\x7e]*"(; filename\*=UTF-8''[\w%.~!*'()-]+)?$/,
    )
    await saved.body?.cancel()
  })

  test('of any kind, the file is stored below the folder of originals under a name that every disk accepts', async () => {
    // While files are being prepared, temporary objects exist under other keys.
    const { stored } = await remainsAtRest(library())
    expect(stored.filter(key => key.startsWith('originals/'))).toHaveLength(Object.keys(odd).length)
    for (const key of stored) {
      expect(key).toMatch(/^(originals|variants)\/\d{4}\/\d\d\/[^/]+(\/[^/]+)?$/)
      expect(key).not.toMatch(/[\p{Cc}\p{Bidi_Control}\\:*?"<>|]/u)
      expect(Math.max(...key.split('/').map(segment => Buffer.byteLength(segment)))).toBeLessThanOrEqual(255)
    }
  })

  test('of control characters in the head of a part is refused, and leaves nothing', async () => {
    const ben = await memberOf(library())
    const before = await filesBelow(`${library().config.dataFolder}/files/originals`)
    const form = new FormData()
    form.append('files', asFile(await makePicture()), odd['of control characters'])
    await expect(send(ben, form)).rejects.toMatchObject({ status: 400, code: 'malformed' })
    expect(await filesBelow(`${library().config.dataFolder}/files/originals`)).toEqual(before)
  })

  test('may be borne by many files', async () => {
    const ben = await memberOf(library())
    const sent = await Promise.all([1, 2, 3].map(async () => send(ben, plainForm('IMG_0001.JPG', await makePicture()))))
    const files = sent.flatMap(answer => answer.files)
    expect(files.map(file => file.original_name)).toEqual(['IMG_0001.JPG', 'IMG_0001.JPG', 'IMG_0001.JPG'])
    expect(new Set(files.map(file => new URL(file.download_url, library().url).pathname)).size).toBe(3)
  })

  test.each([
    ['with quotes', 'say "cheese".jpg'],
    ['with backslashes', '12\\4.jpg'],
    ['with slashes', '12/4.jpg'],
    ['with line breaks', 'one\r\ntwo.jpg'],
    ['of control characters', odd['of control characters']],
    ['of emoji', '🏖️.jpg'],
  ])('%s still ties the parts of a photo together', async (_, name) => {
    const ben = await memberOf(library())
    const shown = await makePicture({ width: 320 })
    const form = photoForm(name, shown, await makeClientPictures(shown))
    form.append('files', asFile(await makePicture({ width: 320, format: 'tiff' })), nameInForm(`original_${name}`))
    const { files } = await send(ben, form)
    expect(files).toHaveLength(1)
    expect(files[0]).toMatchObject({ original_name: name, mime_type: 'image/tiff', status: 'ready' })
    const plain = plainForm(name, await makePicture())
    plain.append('files', asFile(await makePicture({ format: 'png' })), nameInForm(`original_${name}`))
    expect((await send(ben, plain)).files).toMatchObject([{ original_name: name, mime_type: 'image/png' }])
  })

  test('that only the form gives is the last part of its path', async () => {
    const ben = await memberOf(library())
    const form = new FormData()
    form.append('files', asFile(await makePicture()), '/home/ben/../Pictures/dune.jpg')
    form.append('files', asFile(await makePicture()), '')
    const { files } = await send(ben, form)
    expect(files.map(file => file.original_name)).toEqual(['dune.jpg', expect.stringMatching(/\w/)])
  })
})
