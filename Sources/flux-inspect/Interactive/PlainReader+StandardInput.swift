import FluxJSON
import LineEditor

extension PlainReader {
  /// Creates a reader of the commands on standard input; errors call it `name`.
  convenience init(standardInput name: String) {
    self.init(
      descriptor: 0, name: name, limit: MemoryLimit.standard.commandFileByteCount,
      advice: MemoryLimit.advice)
  }
}
