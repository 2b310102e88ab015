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

  /// The bytes before the first newline, or all of them; less where what is there is no header already.
  ///
  /// A file of many gigabytes may have no newline at all, and is not read for that to be said.
  private static func firstLine(of file: OpenFile, size: Int) throws(LogError) -> [UInt8] {
    var line: [UInt8] = []
    while line.count < size {
      let more = min(
        max(line.count, 1 << 14), size - line.count, JSON.maximumByteCount + 1 - line.count)
      let bytes = try file.bytes(at: line.count, count: more)
      if let end = bytes.firstIndex(where: endsLine) {
        // The parser is to meet what no JSON has.
        return line + (bytes[end] == 0x0A ? bytes[..<end] : bytes[...end])
      }
      line += bytes
      guard bytes.count == more, mayBeHeader(line) else { break }
    }
    return line
  }

  /// Whether a byte is a newline, or a control that no JSON has, as the zeros of a file with holes.
  private static func endsLine(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\r")
  }

  /// Whether a header may begin so, which is an object, and not too long for the parser.
  private static func mayBeHeader(_ beginning: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = beginning.starts(with: mark) ? beginning.dropFirst(mark.count) : beginning[...]
    let blanks = Array(" \t\r".utf8)
    let first = text.first { !blanks.contains($0) }
    return first == UInt8(ascii: "{") && beginning.count <= JSON.maximumByteCount
  }
}
