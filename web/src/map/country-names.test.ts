import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { withTranslatedNames } from './country-names.ts'

const germany = { name: 'Germany', code: '276' }
const bosnia = { name: 'Bosnia and Herz.', code: '070' }
const kosovo = { name: 'Kosovo', code: undefined }

test('the names of countries on the map are in the language of the page', () => {
  const names = (language: string) => withTranslatedNames([germany, bosnia, kosovo], language).map(({ name }) => name)
  expect(names('en')).toEqual(['Germany', 'Bosnia and Herz.', 'Kosovo'])
  expect(names('de')).toEqual(['Deutschland', 'Bosnien und Herzegowina', 'Kosovo'])
})

test.each(['countries-50m', 'countries-10m'])('every country of %s that has a code has a name in German', file => {
  const path = fileURLToPath(import.meta.resolve(`world-atlas/${file}.json`))
  const { objects } = JSON.parse(readFileSync(path, 'utf8'))
  const countries = objects.countries.geometries.map(({ id }: { id?: string }) => ({ name: '', code: id }))
  const unnamed = withTranslatedNames<{ name: string; code: string | undefined }>(countries, 'de').filter(
    ({ name, code }) => code !== undefined && name === '',
  )
  expect(unnamed).toEqual([])
})
