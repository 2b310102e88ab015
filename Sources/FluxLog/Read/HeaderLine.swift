/// The first line of a log, read before all others.
struct HeaderLine {
  let header: LogHeader
  /// The line without its newline.
  let text: [UInt8]
  /// Where the next line begins.
  let end: Int
  let findings: [Finding]

  /// Reads the first line of a file of that size.
  init(file: OpenFile, size: Int) throws(LogError) {
    guard size > 0 else { throw LogError(path: file.path, reason: .empty) }
    var line = try Self.firstLine(of: file, size: size)
    end = line.count + (line.count < size ? 1 : 0)
    var findings: [Finding] = []
    if line.starts(with: [0xEF, 0xBB, 0xBF]) {
      line.removeFirst(3)
      findings.append(Finding(problem: .byteOrderMark, line: 1))
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    text = line
    do throws(LineFault) {
      let json = try JSON(line: line)
      header = try LogHeader(json)
      if json.hasDuplicateNames { findings.append(Finding(problem: .duplicateNames, line: 1)) }
    } catch {
      throw LogError(path: file.path, reason: .notALog(error.problem, byte: error.byte))
    }
    guard header.version.major <= FormatVersion.current.major else {
      throw LogError(path: file.path, reason: .newerVersion(header.version))
    }
    if header.version.major == FormatVersion.current.major,
      header.version.minor > FormatVersion.current.minor
    {
      findings.append(Finding(problem: .newerMinorVersion(header.version), line: 1))
    }
    self.findings = findings
  }

  /// The bytes before the first newline, or all of them.
  private static func firstLine(of file: OpenFile, size: Int) throws(LogError) -> [UInt8] {
    var line: [UInt8] = []
    while line.count < size {
      let more = min(max(line.count, 1 << 14), size - line.count)
      let bytes = try file.bytes(at: line.count, count: more)
      if let newline = bytes.firstIndex(of: 0x0A) {
        return line + bytes[..<newline]
      }
      line += bytes
      guard bytes.count == more else { break }
    }
    return line
  }
}
