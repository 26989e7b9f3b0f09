import { expect, test } from 'vitest'
import { missingPackages } from './install.mjs'

const react = { version: '19.3.1', integrity: 'sha512-a' }
const native = { version: '1.0.0', integrity: 'sha512-b', optional: true, os: [process.platform], cpu: [process.arch] }

test('an install that npm recorded in full misses nothing', () => {
  const lock = { '': { version: '0.1.0' }, 'node_modules/react': react, 'node_modules/native': native }
  expect(missingPackages(lock, { 'node_modules/react': react, 'node_modules/native': native })).toEqual([])
})

test('an install that was interrupted, and so never recorded, misses everything', () => {
  expect(missingPackages({ '': { version: '0.1.0' }, 'node_modules/react': react }, {})).toEqual(['node_modules/react'])
})

test('another version, or other bytes of the same version, are not what the lock file asks for', () => {
  const lock = { 'node_modules/react': react }
  expect(missingPackages(lock, { 'node_modules/react': { ...react, version: '19.3.0' } })).toHaveLength(1)
  expect(missingPackages(lock, { 'node_modules/react': { ...react, integrity: 'sha512-c' } })).toHaveLength(1)
})

test('the native half for this machine is needed, though npm calls it optional', () => {
  expect(missingPackages({ 'node_modules/native': native }, {})).toEqual(['node_modules/native'])
})

test('what is for other machines is not missed', () => {
  const others = {
    'node_modules/elsewhere': { ...native, os: ['plan9'] },
    'node_modules/other-cpu': { ...native, cpu: ['mips'] },
    'node_modules/other-libc': { ...native, libc: ['none'] },
    'node_modules/simply-optional': { version: '1.0.0', optional: true },
  }
  expect(missingPackages(others, {})).toEqual([])
})

test('to run, nothing is missed that only building and testing need', () => {
  const lock = {
    'node_modules/react': react,
    'node_modules/vite': { version: '8.0.0', dev: true },
    'node_modules/esbuild': { ...native, dev: true },
    'node_modules/bindings': { version: '1.0.0', devOptional: true },
  }
  expect(missingPackages(lock, {}, { withDev: false })).toEqual(['node_modules/react'])
  expect(missingPackages(lock, {})).toEqual(Object.keys(lock))
})

test('an old version of a package is replaced even where only a build needs it', () => {
  const lock = { 'node_modules/vite': { version: '8.0.0', dev: true } }
  expect(missingPackages(lock, { 'node_modules/vite': { version: '7.0.0' } }, { withDev: false })).toHaveLength(1)
})
