import FluxJSON

struct HeaderLine {
  let header: LogHeader
  let text: [UInt8]
  let end: Int
  let findings: [Finding]
  let sums: LineSums

  init(
    file: OpenFile, size: Int, longestLine: Int = MemoryLimit.standard.lineByteCount
  ) throws(LogError) {
    guard size > 0 else { throw LogError(path: file.path, reason: .empty) }
    var line = try Self.firstLine(of: file, size: size, longestLine: longestLine)
    guard line.count <= longestLine else {
      let problem = LineProblem.lineTooLong(byteCount: nil, limit: longestLine)
      throw LogError(path: file.path, reason: .notALog(problem, byte: longestLine))
    }
    end = line.count + (line.count < size ? 1 : 0)
    var findings: [Finding] = []
    if line.starts(with: [0xEF, 0xBB, 0xBF]) {
      line.removeFirst(3)
      findings.append(Finding(problem: .byteOrderMark, line: 1))
    }
    line = line.lineContent
    text = line
    guard !line.starts(with: "version https://git-lfs".utf8) else {
      throw LogError(
        path: file.path,
        reason: .cannotOpen(
          why:
            "this is a pointer of Git LFS, and the log itself is not here; fetch it with git lfs pull"
        ))
    }
    guard line != Array("{".utf8) || end == size else {
      throw LogError(
        path: file.path,
        reason: .cannotOpen(
          why:
            "line 1 is only the beginning of an object, as in indented JSON; each line of a log is one whole object"
        ))
    }
    do throws(LineFault) {
      let json = try JSON(line: line)
      header = try LogHeader(json)
      var sums = LineSums(hasSum: json["sum"] != nil)
      if !sums.hasSum { sums.addMissing(line: 0) }
      self.sums = sums
      if json.hasDuplicateNames { findings.append(Finding(problem: .duplicateNames, line: 1)) }
    } catch {
      throw LogError(path: file.path, reason: .notALog(error.problem, byte: error.byte))
    }
    guard header.version.major <= FormatVersion.current.major else {
      throw LogError(path: file.path, reason: .newerVersion(header.version))
    }
    if (header.version.major, header.version.minor)
      > (FormatVersion.current.major, FormatVersion.current.minor)
    {
      findings.append(Finding(problem: .newerMinorVersion(header.version), line: 1))
    }
    self.findings = findings
  }

  /// Returns the bytes before the first newline, or fewer if they cannot be a header.
  ///
  /// A file of many gigabytes may have no newline; it is not read completely to find that out.
  private static func firstLine(
    of file: OpenFile, size: Int, longestLine: Int
  ) throws(LogError) -> [UInt8] {
    var line: [UInt8] = []
    let limit = min(size, longestLine + 1)
    while line.count < limit {
      // As many bytes as there are, so a long header is copied a constant number of times.
      let count = min(max(line.count, 1 << 14), limit - line.count)
      let more = try file.wholeBytes(at: line.count, count: count, line: 1)
      if let end = more.firstIndex(where: endsLine) {
        // Includes a control character, so that the parser reports it.
        return line + (more[end] == 0x0A ? more[..<end] : more[...end])
      }
      line += more
      guard mayBeHeader(line) else { break }
    }
    return line
  }

  /// `true` for a newline, and for control characters that JSON does not allow, such as the zeros
  /// of a sparse file.
  private static func endsLine(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\t") && byte != UInt8(ascii: "\r")
  }

  /// `true` if a header can start with these bytes: an object.
  private static func mayBeHeader(_ beginning: [UInt8]) -> Bool {
    let first = beginning.first { !([0xEF, 0xBB, 0xBF] + " \t\r".utf8).contains($0) }
    return first == UInt8(ascii: "{")
  }
}
