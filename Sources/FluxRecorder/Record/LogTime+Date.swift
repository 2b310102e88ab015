import FluxLog
import Foundation

extension LogTime {
  init(of date: Date, since created: Date) {
    self.init(
      microseconds: UInt64(max(0, (date.timeIntervalSince(created) * 1e6).rounded())))
  }
}

extension LogInstant {
  /// Creates the instant of `date`, in whole microseconds.
  init(of date: Date) {
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1e6).rounded()))
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
