interface Holiday {
  month: number
  day: number
  approximate: boolean
}

/** What was a season to people rather than a day is approximate. */
const holidays = new Map<string, Holiday>(
  Object.entries({
    christmas: { month: 12, day: 25, approximate: true },
    xmas: { month: 12, day: 25, approximate: true },
    'christmas eve': { month: 12, day: 24, approximate: false },
    'christmas day': { month: 12, day: 25, approximate: false },
    'boxing day': { month: 12, day: 26, approximate: false },
    'new years eve': { month: 12, day: 31, approximate: false },
    'new years day': { month: 1, day: 1, approximate: false },
    'new years': { month: 1, day: 1, approximate: true },
    'new year': { month: 1, day: 1, approximate: true },
  }),
)

/** The day of a holiday: "christmas", "new year's eve", "easter". */
export function holidayOf(name: string, year: number): Holiday | undefined {
  return name === 'easter' ? { ...easterOf(year), approximate: true } : holidays.get(name.replaceAll("'", ''))
}

/** Easter Sunday of the Gregorian calendar, by the method of Meeus, Jones and Butcher. */
function easterOf(year: number): { month: number; day: number } {
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
