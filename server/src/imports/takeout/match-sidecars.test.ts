import { describe, expect, test } from 'vitest'
import { matchSidecars } from './match-sidecars.ts'

function match(files: string[], sidecars: (string | [name: string, title: string])[]) {
  const named = sidecars.map(one =>
    typeof one === 'string' ? { name: one, title: '' } : { name: one[0], title: one[1] },
  )
  const { matches, unused } = matchSidecars(files, named)
  return { of: (name: string) => matches.get(name) ?? {}, unused }
}

test.each([
  ['a', 'IMG_3479(1).JPG', 'IMG_3479.JPG(1).json'],
  ['b', '05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jpg', '05yqt21kruxwwlhhgrwrdyb6chhwszi9bqmzu16w0 2.jp.json'],
  ['c', 'IMG_1.jpg', 'IMG_1.jpg.supplemental-metadata.json'],
  ['c', 'IMG_1(2).jpg', 'IMG_1.jpg.supplemental-metadata(2).json'],
  ['d', 'Screenshot_20231027_123303_Facebook(1).jpg', 'Screenshot_20231027_123303_Facebook.jpg.supple(1).json'],
  ['d', 'MVIMG_20191230_232926.jpg', 'MVIMG_20191230_232926.jpg.supplemental-metadat.json'],
  ['d', `${'x'.repeat(41)}.jpg`, `${'x'.repeat(41)}.jpg..json`],
  ['d', `${'x'.repeat(42)}.jpg`, `${'x'.repeat(42)}.jpg.json`],
  ['e', 'skytree (2).jpg', 'skytree (2).jpg.supplemental-metadata.json'],
  ['f', '20030616.jpg', '20030616.json'],
  ['g', 'IMG_0001.MOV.mp4', 'IMG_0001.MOV.json'],
  ['h', 'PXL_20230101_101010101.jpg', 'PXL_20230101_101010101.jpg.suppl.json'],
  ['h', 'PXL_20230101_101010101(3).jpg', 'PXL_20230101_101010101.jpg.supplemental-me(3).json'],
  ['7', 'Screenshot_2024-08-31-00-53-48-647_com.snapchat.jpg', 'Screenshot_2024-08-31-00-53-48-647_com.snapcha.json'],
])('rule 6%s: %s has %s', (_rule, file, sidecar) => {
  const { of, unused } = match([file, 'other.jpg'], [sidecar])
  expect(of(file).sidecar).toBe(sidecar)
  expect(of('other.jpg').sidecar).toBeUndefined()
  expect(unused).toEqual([])
})

describe('numbers', () => {
  test('are equal on both sides', () => {
    const { of, unused } = match(['DSC_0104(1).JPG'], [['DSC_0104.JPG.json', 'DSC_0104.JPG']])
    expect(of('DSC_0104(1).JPG').sidecar).toBeUndefined()
    expect(unused).toEqual(['DSC_0104.JPG.json'])
  })
  test('tell twins apart', () => {
    const { of } = match(['A.jpg', 'A(1).jpg', 'A(2).jpg'], ['A.jpg.json', 'A.jpg(1).json', 'A.jpg(2).json'])
    expect([of('A.jpg'), of('A(1).jpg'), of('A(2).jpg')].map(m => m.sidecar)).toEqual([
      ...['A.jpg.json', 'A.jpg(1).json', 'A.jpg(2).json'],
    ])
  })
})

test('one sidecar that two files could have is that of the one that its title names', () => {
  const [x, y] = [`${'p'.repeat(45)}X.jpg`, `${'p'.repeat(45)}X2.jpg`]
  const clipped = `${x.slice(0, 46)}.json`
  expect(match([x, y], [[clipped, x]]).of(x).sidecar).toBe(clipped)
  expect(match([x, y], [[clipped, x]]).of(y).sidecar).toBeUndefined()
  const { of } = match(['20030616.jpg', '20030616.png'], [['20030616.json', 'something else']])
  expect([of('20030616.jpg'), of('20030616.png')]).toEqual([{ ambiguous: true }, { ambiguous: true }])
})

test('names are compared in one normalisation by the caller, and titles as they are on disk', () => {
  const { of } = match(['John Doe_s File.jpg'], [['zzz.json', "John Doe's File.jpg"]])
  expect(of('John Doe_s File.jpg').sidecar).toBe('zzz.json')
})

describe('edited versions', () => {
  test.each([
    '-edited',
    '-bearbeitet',
    '-modifié',
    '-modificato',
    '-bewerkt',
    '-edytowane',
    '-ha editado',
    '-editado',
    '-editat',
    '-muokattu',
    '-измененный',
    '-düzenlendi',
    '-編集済み',
    '-编辑',
    '-已修改',
    '-已編輯',
    '-effects',
    '-smile',
    '-mix',
  ])('IMG_1%s(1).jpg has the sidecar of IMG_1(1).jpg', suffix => {
    const edited = `IMG_1${suffix}(1).jpg`
    const { of } = match(['IMG_1(1).jpg', edited], ['IMG_1.jpg(1).json'])
    expect(of(edited)).toEqual({ sidecar: 'IMG_1.jpg(1).json', editedFrom: 'IMG_1(1).jpg' })
  })
  test('may be clipped', () => {
    const original = '20200101_101010_a_very_long_name_of_a_phot.jpg'
    const edited = '20200101_101010_a_very_long_name_of_a_phot-ha e.jpg'
    expect(match([original, edited], [`${original.slice(0, 46)}.json`]).of(edited).editedFrom).toBe(original)
  })
  test('may be of a HEIC', () => {
    const { of } = match(['IMG_2.HEIC', 'IMG_2-edited.jpg'], ['IMG_2.HEIC.json'])
    expect(of('IMG_2-edited.jpg')).toEqual({ sidecar: 'IMG_2.HEIC.json', editedFrom: 'IMG_2.HEIC' })
  })
  test('with a sidecar of their own keep it, as collages do', () => {
    const { of } = match(
      ['A-edited.jpg', 'A.jpg', 'A-COLLAGE.jpg'],
      ['A-edited.jpg.json', 'A.jpg.json', 'A-COLLAGE.jpg.json'],
    )
    expect(of('A-edited.jpg')).toEqual({ sidecar: 'A-edited.jpg.json' })
    expect(of('A-COLLAGE.jpg')).toEqual({ sidecar: 'A-COLLAGE.jpg.json' })
  })
})

test('a forgotten copy has the sidecar of the first one', () => {
  const stem = 'original_0ba5a0f6-0b9e-4a4e-8b0a-0123456789ab_'
  const { of } = match([`${stem}P(1).jpg`], [`${stem}.json`])
  expect(of(`${stem}P(1).jpg`).sidecar).toBe(`${stem}.json`)
  expect(match(['IMG_12(1).jpg'], ['IMG_1.json']).of('IMG_12(1).jpg').sidecar).toBeUndefined()
})

test.each([
  ['IMG_5580.MP4', 'IMG_5580.HEIC', 'IMG_5580.HEIC.json'],
  ['IMG_5580(1).MP4', 'IMG_5580(1).jpeg', 'IMG_5580.jpeg(1).json'],
  ['PXL_1.MP', 'PXL_1.MP.jpg', 'PXL_1.MP.jpg.json'],
  ['PXL_1.MV', 'PXL_1.MV.jpg', 'PXL_1.MV.jpg.json'],
  ['PXL_1.MP~2', 'PXL_1.MP~2.jpg', 'PXL_1.MP~2.jpg.json'],
  ['MVIMG_1.MP4', 'MVIMG_1.jpg', 'MVIMG_1.jpg.json'],
])('%s may be the clip of %s', (clip, still, sidecar) => {
  const { of } = match([clip, still], [sidecar])
  expect(of(clip)).toEqual({ still })
  expect(of(still).sidecar).toBe(sidecar)
})

test('the title decides last, if exactly one file and one sidecar are left', () => {
  expect(match(['A.jpg'], [['zzz.json', 'A.jpg']]).of('A.jpg').sidecar).toBe('zzz.json')
  expect(
    match(
      ['A.jpg'],
      [
        ['y.json', 'A.jpg'],
        ['z.json', 'A.jpg'],
      ],
    ).of('A.jpg').sidecar,
  ).toBeUndefined()
})
