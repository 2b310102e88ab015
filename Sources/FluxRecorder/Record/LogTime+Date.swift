import FluxLog
import Foundation

// The app's clock may return any date, and a log never ends the app.
extension LogTime {
  /// Creates the time of `date` after the beginning of a log, in whole microseconds; 0 for one before it.
  init(of date: Date, since created: Date) {
    let microseconds = (date.timeIntervalSince(created) * 1e6).rounded()
    self.init(microseconds: UInt64(exactly: microseconds) ?? (microseconds > 0 ? .max : 0))
  }
}

extension LogInstant {
  /// Creates the instant of `date`, in whole microseconds; 1970 for a date that is not finite or too far away.
  init(of date: Date) {
    self.init(microseconds: Int64(exactly: (date.timeIntervalSince1970 * 1e6).rounded()) ?? 0)
  }
}

extension Date {
  /// Creates the date of a step in whole microseconds: the time of the log after its beginning.
  init(_ created: LogInstant, plus time: LogTime) {
    let (sum, overflows) = created.microseconds.addingReportingOverflow(
      Int64(clamping: time.microseconds))
    // The reference date of `Date`, in 2001.
    let (since2001, underflows) = sum.subtractingReportingOverflow(978_307_200_000_000)
    self =
      overflows || underflows
      ? .distantFuture : Date(timeIntervalSinceReferenceDate: Double(since2001) / 1e6)
  }
}

extension Duration {
  /// The duration in whole microseconds, as in a step's line.
  var wholeMicroseconds: UInt64 { UInt64(max(0, self / .microseconds(1))) }
}
