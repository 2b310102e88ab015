import FluxLog

/// The version of the program: the only place that states it, beside the CHANGELOG.
enum ProgramVersion {
  /// The version, as the CHANGELOG has it.
  static let number = "0.1.0"

  /// One line for `--version`: the program, the log format that it writes, and the Swift release of its standard
  /// library.
  static var description: String {
    let swift = "\(_SwiftStdlibVersion.current)".split(separator: ".").prefix(2)
      .joined(separator: ".")
    return "flux-inspect \(number) (log format \(FormatVersion.current), Swift \(swift))"
  }
}
