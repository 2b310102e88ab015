import FluxLog

/// The version of the program: the only place that states it, apart from the CHANGELOG.
package enum ProgramVersion {
  package static let number = "0.1.0"

  /// The program and its number, as a report names them.
  package static let name = "flux-inspect \(number)"

  /// One line for `--version`: the program, the log format that it writes, and the Swift release of its standard
  /// library.
  package static var description: String {
    let swift = "\(_SwiftStdlibVersion.current)".split(separator: ".").prefix(2)
      .joined(separator: ".")
    return "flux-inspect \(number) (log format \(FormatVersion.current), Swift \(swift))"
  }
}
