import Foundation

/// The memory that one value from outside may take, such as the result of a patch or a message of an app.
///
/// The limits of lines, temporary files and scripts follow from it.
///
/// A text of a few kilobytes can describe a value of gigabytes. The environment sets another limit.
package struct MemoryLimit: Sendable, Equatable {
  /// The variable of the environment that sets the limit, in megabytes.
  package static let variable = "FLUX_MEMORY_LIMIT"
  /// The limit without that variable.
  package static let usualMegabytes = 64

  /// The limit of this process.
  package static let standard = MemoryLimit(environment: ProcessInfo.processInfo.environment)

  package let byteCount: Int

  package init(byteCount: Int) { self.byteCount = byteCount }

  /// Reads the limit; a value that is no number of megabytes counts as none.
  package init(environment: [String: String]) {
    let megabytes = environment[Self.variable].flatMap { Int($0) } ?? Self.usualMegabytes
    byteCount = Int(clamping: Int64(min(max(1, megabytes), 1 << 20)) << 20)
  }

  /// The bytes of the longest line of a log, and of the longest value of a file to import: four times the limit.
  ///
  /// A line is in memory up to three times while its values are read.
  package var lineByteCount: Int { min(times(4), JSON.maximumByteCount) }

  /// The bytes of a log that is unpacked, or comes from standard input, in a temporary file: 64 times the limit.
  package var unpackedByteCount: Int { times(64) }

  /// The bytes of a file of commands or rules, or of a line of the commands on standard input: a sixteenth of the limit.
  ///
  /// Each short line becomes a value.
  package var commandFileByteCount: Int { byteCount / 16 }

  private func times(_ factor: Int) -> Int {
    let (product, overflows) = byteCount.multipliedReportingOverflow(by: factor)
    return overflows ? .max : product
  }

  /// The way to raise the limit, as the end of a sentence.
  package static let advice = "set \(variable) to more megabytes to raise the limit"

  /// The limit as text: `64 MB`.
  package var description: String {
    byteCount % (1 << 20) == 0 ? "\(byteCount >> 20) MB" : "\(byteCount) bytes"
  }
}
