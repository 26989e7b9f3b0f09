interface Day {
  month: number
  day: number
}

/** What was a season to people rather than a day is approximate. */
const fixed = {
  newYear: { month: 1, day: 1, approximate: true },
  newYearsDay: { month: 1, day: 1, approximate: false },
  christmas: { month: 12, day: 25, approximate: true },
  christmasEve: { month: 12, day: 24, approximate: false },
  christmasDay: { month: 12, day: 25, approximate: false },
  boxingDay: { month: 12, day: 26, approximate: false },
  newYearsEve: { month: 12, day: 31, approximate: false },
}

/** In days after Easter Sunday. */
const movable = {
  goodFriday: { after: -2, approximate: false },
  easter: { after: 0, approximate: true },
  easterSunday: { after: 0, approximate: false },
  easterMonday: { after: 1, approximate: false },
  ascension: { after: 39, approximate: false },
  pentecost: { after: 49, approximate: true },
  pentecostSunday: { after: 49, approximate: false },
  pentecostMonday: { after: 50, approximate: false },
}

export type HolidayName = keyof typeof fixed | keyof typeof movable

/** The day of a holiday in a year. */
export function dayOfHoliday(name: HolidayName, year: number): Day & { approximate: boolean } {
  if (isFixed(name)) return fixed[name]
  const { after, approximate } = movable[name]
  const { month, day } = easterOf(year)
  const date = new Date(Date.UTC(year, month - 1, day + after))
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate(), approximate }
}

function isFixed(name: HolidayName): name is keyof typeof fixed {
  return Object.hasOwn(fixed, name)
}

/** Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher. */
function easterOf(year: number): Day {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const epact =
    (19 * golden +
      century -
      Math.floor(century / 4) -
      Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3) +
      15) %
    30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const sum = epact + weekday - 7 * correction + 114
  return { month: Math.floor(sum / 31), day: (sum % 31) + 1 }
}
