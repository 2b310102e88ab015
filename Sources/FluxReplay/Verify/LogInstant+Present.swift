import FluxLog
import Foundation

extension LogInstant {
  /// The present time.
  static var present: LogInstant {
    LogInstant(microseconds: Int64((Date().timeIntervalSince1970 * 1e6).rounded()))
  }
}
