/// Makes JSON of any bytes, so that the fuzzer need not find out by itself how JSON is written.
struct Plan {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  private mutating func next() -> Int { Int(bytes.popFirst() ?? 0) }

  mutating func value(depth: Int) -> String {
    let choice = next()
    switch choice % (depth > 0 ? 8 : 4) {
    case 0: return ["null", "true", "false", "0"][choice / 8 % 4]
    case 1: return number()
    case 2, 3: return string()
    case 4, 5:
      let elements = (0..<next() % 12).map { _ in value(depth: depth - 1) }
      return "[\(elements.joined(separator: choice & 64 == 0 ? "," : " , "))]"
    case 6:
      let elements = (0..<next() % 12).map { _ in
        "{\"id\":\(next() % 16),\"v\":\(value(depth: depth - 1))}"
      }
      return "[\(elements.joined(separator: ","))]"
    default:
      let members = (0..<next() % 8).map { _ in "\(string()):\(value(depth: depth - 1))" }
      return "{\(members.joined(separator: ","))}"
    }
  }

  private mutating func number() -> String {
    ["1", "1.0", "-0", "1e400", "9007199254740993", "0.1", "10e-1", "12"][next() % 8]
  }

  private mutating func string() -> String {
    let pieces = [
      "a", "b", "é", "😀", "\\ud800", "\\udc00", "\\u0041", "/", "~", "\\n", "\\\"", "0", "-",
      "aaaaaaaa", "日", "\\\\",
    ]
    return "\"" + (0..<next() % 16).map { _ in pieces[next() % pieces.count] }.joined() + "\""
  }
}
