/** The places and cameras of a fictional family. */

export interface Place {
  city: string
  latitude: number
  longitude: number
  offsetMinutes: number
}

export const home: Place = { city: 'Bristol', latitude: 51.4545, longitude: -2.5879, offsetMinutes: 0 }

export const places: readonly Place[] = [
  { city: 'Lisbon', latitude: 38.7169, longitude: -9.1399, offsetMinutes: 0 },
  { city: 'Lagos', latitude: 6.4541, longitude: 3.3947, offsetMinutes: 60 },
  { city: 'Accra', latitude: 5.556, longitude: -0.1969, offsetMinutes: 0 },
  { city: 'Rome', latitude: 41.8919, longitude: 12.5113, offsetMinutes: 60 },
  { city: 'Paris', latitude: 48.8534, longitude: 2.3488, offsetMinutes: 60 },
  { city: 'Edinburgh', latitude: 55.9521, longitude: -3.1965, offsetMinutes: 0 },
  { city: 'Reykjavík', latitude: 64.1355, longitude: -21.8954, offsetMinutes: 0 },
  { city: 'Bergen', latitude: 60.3929, longitude: 5.3241, offsetMinutes: 60 },
  { city: 'Kraków', latitude: 50.0614, longitude: 19.9366, offsetMinutes: 60 },
  { city: 'Athens', latitude: 37.9838, longitude: 23.7278, offsetMinutes: 120 },
  { city: 'Marrakesh', latitude: 31.6315, longitude: -8.0083, offsetMinutes: 60 },
  { city: 'Cape Town', latitude: -33.9258, longitude: 18.4232, offsetMinutes: 120 },
  { city: 'New York', latitude: 40.7143, longitude: -74.006, offsetMinutes: -300 },
  { city: 'Toronto', latitude: 43.7064, longitude: -79.3986, offsetMinutes: -300 },
  { city: 'Kyoto', latitude: 35.0211, longitude: 135.7538, offsetMinutes: 540 },
  { city: 'Hội An', latitude: 15.8794, longitude: 108.335, offsetMinutes: 420 },
  { city: 'Sydney', latitude: -33.8679, longitude: 151.2073, offsetMinutes: 600 },
  { city: 'Cusco', latitude: -13.5226, longitude: -71.9673, offsetMinutes: -300 },
]

export interface Camera {
  make: string
  model: string
  /** The years in which the family used it. */
  from: number
  until: number
  /** Phones know their position and time zone. */
  phone: boolean
  nameOf(taken: Date, count: number): string
}

const four = (count: number) => String(count % 10_000).padStart(4, '0')
const digitsOf = (taken: Date) => taken.toISOString().replace(/\D/g, '')

export const cameras: readonly Camera[] = [
  camera('Canon', 'Canon EOS 60D', 2011, 2019, (_, count) => `IMG_${four(count)}`),
  camera('Panasonic', 'DMC-TZ71', 2012, 2018, (_, count) => `P1${String(count % 1_000_000).padStart(6, '0')}`),
  camera('NIKON CORPORATION', 'NIKON D5600', 2017, 2023, (_, count) => `DSC_${four(count)}`),
  camera('SONY', 'ILCE-7M3', 2019, 2100, (_, count) => `DSC0${four(count)}`),
  camera('FUJIFILM', 'X-T20', 2018, 2100, (_, count) => `DSCF${four(count)}`),
  phone('Apple', 'iPhone 4S', 2011, 2014, (_, count) => `IMG_${four(count)}`),
  phone('Apple', 'iPhone 7', 2016, 2020, (_, count) => `IMG_${four(count)}`),
  phone('Apple', 'iPhone 13', 2021, 2100, (_, count) => `IMG_${four(count)}`),
  phone('samsung', 'SM-G973F', 2019, 2023, taken => `${digitsOf(taken).slice(0, 8)}_${digitsOf(taken).slice(8, 14)}`),
  phone('Google', 'Pixel 7', 2022, 2100, taken => `PXL_${digitsOf(taken).slice(0, 8)}_${digitsOf(taken).slice(8, 17)}`),
]

type Naming = Camera['nameOf']

function camera(make: string, model: string, from: number, until: number, nameOf: Naming): Camera {
  return { make, model, from, until, phone: false, nameOf }
}

function phone(make: string, model: string, from: number, until: number, nameOf: Naming): Camera {
  return { make, model, from, until, phone: true, nameOf }
}

/** Received by messenger: nothing but the name is known of such a picture. */
export function nameOfSent(taken: Date, count: number): string {
  return `IMG-${digitsOf(taken).slice(0, 8)}-WA${four(count)}`
}

export const relatives = [
  { name: 'Mira Okafor', email: 'mira@seed.invalid' },
  { name: 'Tom Okafor', email: 'tom@seed.invalid' },
  { name: 'Grandpa Joe', email: 'joe@seed.invalid' },
] as const
