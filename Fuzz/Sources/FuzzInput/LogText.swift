/// The text of a log that the fuzzer has made up.
///
/// The first byte says whether the lines get right sums: those are skimmed by another way than lines
/// without, which the fuzzer could never find by itself.
public func logText(of input: [UInt8]) -> [UInt8] {
  input.first.map { $0 & 1 == 0 } ?? true ? Array(input.dropFirst()) : summed(input.dropFirst())
}

/// The lines with the sums that a writer would have given them.
public func summed(_ text: some BidirectionalCollection<UInt8>) -> [UInt8] {
  var lines: [UInt8] = []
  for line in text.split(separator: 0x0A) {
    let content = line.last == UInt8(ascii: "}") ? line.dropLast() : line
    let digits = String(checksum(content), radix: 16)
    let zeros = String(repeating: "0", count: 8 - digits.utf8.count)
    lines += content
    lines += ",\"sum\":\"\(zeros)\(digits)\"}\n".utf8
  }
  return lines
}
