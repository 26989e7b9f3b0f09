import { expect, test } from 'vitest'
import { requestUrl } from './request-url.ts'

test('parameters are filled into the path', () => {
  expect(requestUrl('/api/tags/media/:id/:tagId', { id: 7, tagId: 12 }, undefined)).toBe('/api/tags/media/7/12')
})

test('parameters are escaped', () => {
  expect(requestUrl('/api/folders/:id', { id: '../users?x=1#y' }, undefined)).toBe(
    '/api/folders/..%2Fusers%3Fx%3D1%23y',
  )
})

test('a missing parameter throws', () => {
  expect(() => requestUrl('/api/folders/:id', {}, undefined)).toThrow('needs the parameter id')
})

test('the query string omits undefined values', () => {
  const query = { search: 'côte & mer', type: undefined, folder_id: 0, cursor: null, tag: ['a', 'b'] }
  expect(requestUrl('/api/media', undefined, query)).toBe('/api/media?search=c%C3%B4te+%26+mer&folder_id=0&tag=a&tag=b')
})

test('without parameters and query the URL is the path', () => {
  expect(requestUrl('/auth/me', undefined, undefined)).toBe('/auth/me')
})
