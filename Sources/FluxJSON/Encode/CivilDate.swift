/// A day of the Gregorian calendar, extended to all years; the year 0 is 1 BC.
///
/// See Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". Years begin in March, so the
/// leap day is the last day of a year. The calendar repeats every 400 years, or 146,097 days.
struct CivilDate: Equatable {
  let year: Int64
  let month: Int64
  let day: Int64

  init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates the date that is a number of days after 1970-01-01.
  init(day days: Int64) {
    let shifted = days + 719_468
    let era = ISO8601.floorDivide(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01.
  var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = ISO8601.floorDivide(marchYear, 400)
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// `true` if the calendar has this day.
  var exists: Bool {
    month >= 1 && month <= 12 && day >= 1 && CivilDate(day: daysSince1970) == self
  }
}
